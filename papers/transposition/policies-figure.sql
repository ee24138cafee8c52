-- Slots and million nodes of an :ending and a :policy.
SELECT 1 << log2_slots, nodes / 1e6 FROM "transposition/policies" WHERE ending = :ending AND policy = :policy;

-- Where the final rule matters.
SELECT printf ('Behind `exact`, and only there, the rule matters: it takes off %.0f %% where all slots are left free, %.1f %% behind `ternary`.',
  (SELECT 100 - 100.0 * sum (longest_bytes) / sum (frequent_bytes) FROM "repair/final" WHERE pair = 'exact' AND initial = 'none'),
  (SELECT 100 - 100.0 * sum (longest_bytes) / sum (frequent_bytes) FROM "repair/final" WHERE pair = 'exact' AND initial = 'ternary'));
SELECT printf ('Behind `subdefinite` and `compatible` both rules write the same bytes in all %d trials, and this must be so:',
  (SELECT sum (longest_bytes = frequent_bytes) FROM "repair/final" WHERE pair <> 'exact'));

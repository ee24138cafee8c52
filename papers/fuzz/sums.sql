-- All runs of a target together.
SELECT printf ('Together: %s.', group_concat (printf ('%,d inputs of `%s`', n, target), ', ')) FROM (SELECT target, sum (inputs) AS n FROM "fuzz/runs" GROUP BY target ORDER BY min (rowid));

-- Fathom in our Syzygy files with 6 men.
SELECT printf ('WDL of %s: %,d positions, %d differ; a probe takes %d ns where Fathom takes %d (median), and %d where it takes %,d (99 %%).', ending, positions, differ,
  median_ns, fathom_median_ns, p99_ns, fathom_p99_ns) FROM "sets/six-fathom";
SELECT printf ('Under the 50-move rule, with clocks from 0 to 100: %,d positions; results, root probes, lists of moves and ranks that differ: %d; positions where plies of ours are one more than those of the rounded file: %,d.', positions, wdl + root + moves + dtz_ranks + wdl_ranks, rounded) FROM "sets/six-rules";

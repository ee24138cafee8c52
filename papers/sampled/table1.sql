-- Table 1 of Zakharov et al. 2015 over the endings with 5 men that were estimated: MB with bounds.
CREATE TEMP VIEW t AS SELECT "table" AS t, slots + 0 AS slots, part_slots + 0 AS part_slots, without + 0.0 AS w, without_low + 0.0 AS wl, without_high + 0.0 AS wh,
    alg1 + 0.0 AS a, alg1_low + 0.0 AS al, alg1_high + 0.0 AS ah, alg2 + 0.0 AS b, alg2_low + 0.0 AS bl, alg2_high + 0.0 AS bh,
    edges + 0.0 AS e, edges_low + 0.0 AS el, edges_high + 0.0 AS eh FROM "sampled/table1";
SELECT '| about, MB | without (1.8) | algorithm 1 | algorithm 2 | `edges:8` |';
SELECT '|---|---:|---:|---:|---:|';
SELECT printf ('| %s | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) |', t, w / 1e6, wl / 1e6, wh / 1e6,
    a / 1e6, al / 1e6, ah / 1e6, b / 1e6, bl / 1e6, bh / 1e6, e / 1e6, el / 1e6, eh / 1e6) FROM t ORDER BY t;
SELECT printf ('| **all %d** | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) | %.1f (%.1f to %.1f) |', count (*), sum (w) / 1e6, sum (wl) / 1e6, sum (wh) / 1e6,
    sum (a) / 1e6, sum (al) / 1e6, sum (ah) / 1e6, sum (b) / 1e6, sum (bl) / 1e6, sum (bh) / 1e6, sum (e) / 1e6, sum (el) / 1e6, sum (eh) / 1e6) FROM t;
SELECT printf ('| share of what nothing bound takes | | %.3f | %.3f | **%.3f** |', sum (a) / sum (w), sum (b) / sum (w), sum (e) / sum (w)) FROM t;
SELECT '| Zakharov et al., all 110 | 5.82 GB | 4.93 GB = 0.847 | 4.83 GB = 0.830 | |';
SELECT '';
SELECT printf ('%s million of %s million slots of these %d of 110 endings were coded. %d of them have pawns, of 50%s.',
    printf ('%,d', round (sum (part_slots) / 1e6)), printf ('%,d', round (sum (slots) / 1e6)), count (*), sum (t LIKE '%P%'),
    iif (count (*) < 110, ': the sum is no estimate of all 110', '')) FROM t;
SELECT '';
SELECT printf ('Algorithm 1 takes %.3f and algorithm 2 %.3f more of what nothing bound takes than Zakharov et al. print; the sum without a bound is %.2f times theirs.',
    sum (a) / sum (w) - 0.847, sum (b) / sum (w) - 0.830, sum (w) / 5.82e9) FROM t;

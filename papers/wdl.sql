-- WDL of all 35 endings with 3 and 4 men, whole files.
SELECT '| WDL, 3 and 4 men | bytes | |';
SELECT '|---|---:|---|';
SELECT printf ('| subdef, the smallest known of each table (`papers/best-wdl-3-4.csv`) | **%,d** | |', sum (bytes)) FROM "best-wdl-3-4";
SELECT printf ('| subdef, decision diagrams | %,d | one step of a lookup for each bit of the index |', sum (bytes)) FROM "obdd/wdl-3-4";
SELECT printf ('| subdef, RE-PAIR over subdefinite symbols | %,d | blocks of 128 bytes |', sum (optimal_bytes)) FROM "repair/wdl-3-4";
SELECT printf ('| EgmProbe 2.0, as Kristensen 2005 gives it | %,d | |', egmprobe_wdl) FROM "obdd/kristensen" WHERE ending = 'all';
SELECT printf ('| decision diagrams of Kristensen 2005 | %,d | |', wdl) FROM "obdd/kristensen" WHERE ending = 'all';
SELECT printf ('| Syzygy | %,d | blocks of 64 bytes |', sum (syzygy_bytes)) FROM "repair/wdl-3-4";

-- Files with 5 men in Syzygy's format.
SELECT '| ending | file | public | exported | ratio |';
SELECT '|---|---|---:|---:|---:|';
SELECT printf ('| %s | %s | %,d | %,d | %.3f |', ending, upper (metric), public, exported, 1.0 * exported / public) FROM "syzygy/five" ORDER BY metric DESC, public + 0 DESC;
SELECT printf ('| **all %d** | %s | %,d | %,d | **%.3f** |', count (*), upper (metric), sum (public), sum (exported), 1.0 * sum (exported) / sum (public)) FROM "syzygy/five" GROUP BY metric ORDER BY metric DESC;

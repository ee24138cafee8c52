-- Exported files, the largest public files first.
SELECT '| ending | public | exported | ratio |';
SELECT '|---|---:|---:|---:|';
SELECT printf ('| %s | %d | %d | %.3f |', ending, public, bytes, 1.0 * bytes / public) FROM "syzygy/exported" ORDER BY public + 0 DESC, ending;
SELECT printf ('| all %d | %d | %d | %.3f |', count (*), sum (public), sum (bytes), 1.0 * sum (bytes) / sum (public)) FROM "syzygy/exported";

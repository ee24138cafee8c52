-- title: Cells that failed
-- name: failures
-- text: {(SELECT count (*) FROM failure WHERE key NOT IN (SELECT key FROM cell))} cells have no row, because of these errors. The same sweep
--   tries them again.
-- column: cell
-- column: finished | when
-- column: error

SELECT key AS cell, finished, error FROM failure WHERE key NOT IN (SELECT key FROM cell) ORDER BY key

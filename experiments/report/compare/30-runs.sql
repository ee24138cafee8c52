-- title: The runs behind A and B
-- text: {(SELECT 'A and B together:' || char (10) || group_concat ('Warning: ' || text || '.', char (10)) FROM warning WHERE store = '')}
-- section: title
-- note: note
-- column: id | run | count
-- column: rows | | count
-- column: timed | | count desk
-- column: started
-- column: commit | | desk
-- column: host | | screen desk
-- column: cpu | processor | desk
-- column: cores | | desk
-- column: memory | | right screen desk
-- column: load | | right desk

SELECT 'Runs of ' || store AS title, (SELECT group_concat ('Warning: ' || text || '.', char (10)) FROM warning w WHERE w.store = m.store) AS note,
  id, rows, timed, started, "commit", host, cpu, cores || ', ' || jobs || ' jobs' AS cores,
  iif (memory_bytes, printf ('%.1f GB', memory_bytes / 1e9), NULL) AS memory, iif (load IS NULL, NULL, printf ('%.2f', load)) AS load FROM made m ORDER BY store, id

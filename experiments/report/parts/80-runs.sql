-- title: Where it comes from
-- text: All runs that rows come from. Load: of one minute, when the run began.
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

SELECT id, rows, timed, started, "commit", host, cpu, cores || ', ' || jobs || ' jobs' AS cores,
  iif (memory_bytes, printf ('%.1f GB', memory_bytes / 1e9), NULL) AS memory, iif (load IS NULL, NULL, printf ('%.2f', load)) AS load FROM made ORDER BY id

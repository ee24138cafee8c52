-- What complete sets take by the estimate on several ranks.
CREATE TEMP VIEW o AS SELECT men + 0 AS men, ranks + 0 AS ranks, endings + 0 AS endings, cpu_s / 3600.0 AS hours, table_bytes * 1.0 AS bytes, largest,
  largest_memory_bytes * 1.0 AS memory, messages * 1.0 AS messages, message_bytes * 1.0 AS sent FROM "retrograde/operations";
CREATE TEMP VIEW s AS SELECT a.men AS men, a.ranks AS ranks, sum (b.endings) AS endings, sum (b.hours) AS hours, sum (b.bytes) AS bytes, max (b.memory) AS memory,
  sum (b.messages) AS messages, sum (b.sent) AS sent FROM o a JOIN o b ON b.ranks = a.ranks AND b.men <= a.men GROUP BY a.men, a.ranks;
SELECT '| all endings up to | ranks | endings | memory of the largest | messages | bytes of messages | tables | CPU-hours |';
SELECT '|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %d men | %,d | %,d | %s | %s | %s | %s | %s |', men, ranks, endings,
  CASE WHEN memory < 1e12 THEN printf ('%.1f GB', memory / 1e9) ELSE printf ('%.2f TB', memory / 1e12) END,
  iif (messages = 0, '-', printf ('%.1e', messages)), iif (sent = 0, '-', printf ('%.1e', sent)),
  CASE WHEN bytes < 1e12 THEN printf ('%.1f GB', bytes / 1e9) ELSE printf ('%.1f TB', bytes / 1e12) END,
  CASE WHEN hours < 10 THEN printf ('%.2f', hours) ELSE printf ('%,d', hours) END)
  FROM s WHERE (men = 5 AND ranks < 4096) OR men = 6 OR (men = 7 AND ranks != 64) ORDER BY men, ranks;

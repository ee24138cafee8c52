-- details: what text

WITH last AS (SELECT * FROM made ORDER BY id DESC LIMIT 1)
SELECT 'The tables that the last run read, with their checksums (XXH3)' AS what, tables AS text FROM last WHERE tables <> ''
UNION ALL SELECT 'The sweep file of the last run', sweep FROM last

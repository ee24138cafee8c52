#!/bin/sh
# The rows of a set, from the manifests of `subdef set`, on standard output: rows.sh LIST [MANIFEST.json ...] > rows.new
# LIST: wdl or wdl50, of both sides to move, or wdl-one or dtz50-one, of one. A line an ending, as 'subdef reformat --layouts' and 'subdef set --layouts' read it:
# what makes the file again to the byte, its bytes and its checksum (XXH3), the checksums of the values of White and Black to move, CPU seconds
# and memory. Of an ending that the kept list (LIST-3-5.csv) or several manifests have, the smaller file stays. It is measured by:
#   subdef set --men 5 --metric wdl -o DIR && sh papers/sets/rows.sh wdl DIR/manifest.json
#   subdef set --men 5 --metric wdl --sides one -o DIR && sh papers/sets/rows.sh wdl-one DIR/manifest.json
set -eu
name=${1:?wdl, wdl-one, wdl50, dtz50-one or dtm} metric=${1%%-*}
shift
list=$(cd "$(dirname "$0")" && pwd)/$name-3-5.csv
{
  echo ".mode csv"
  echo "CREATE TABLE made (material, order_w, numbering_w, order_b, numbering_b, bytes, codec, settings, freedom, sum, values_w, values_b, cpu_s, memory);"
  [ ! -f "$list" ] || echo ".import --skip 1 '$list' made"
  for manifest; do
    cat <<SQL
WITH files AS (SELECT value AS r FROM json_each (readfile ('$manifest'), '\$.files') WHERE value->>'metric' = '$metric'),
  sides AS (SELECT r, r->>'joint' AS joint, (SELECT value FROM json_each (r->'sides') WHERE value->>'to_move' IN ('w', 'both')) AS w,
    (SELECT value FROM json_each (r->'sides') WHERE value->>'to_move' = 'b') AS b FROM files)
INSERT INTO made SELECT r->>'table', w->>'order', w->>'numbering', iif (joint, '=', b->>'order'), iif (joint, '=', b->>'numbering'), r->>'bytes',
    iif (w IS NULL OR b IS NULL OR joint OR w->>'codec' = b->>'codec', ifnull (w->>'codec', b->>'codec'), w->>'codec' || '|' || (b->>'codec')),
    iif (w IS NULL OR b IS NULL OR joint OR ifnull (w->>'settings', '') = ifnull (b->>'settings', ''), coalesce (w->>'settings', b->>'settings', ''),
      ifnull (w->>'settings', '') || '|' || ifnull (b->>'settings', '')),
    r->>'freedom', r->>'sum', r->'values'->0->>'checksum', r->'values'->1->>'checksum', round (r->>'cpu_s', 1), r->>'memory_bytes' FROM sides;
SQL
  done
  cat <<SQL
.headers on
.separator , "\n"
SELECT material, nullif (order_w, '') AS order_w, nullif (numbering_w, '') AS numbering_w, nullif (order_b, '') AS order_b,
  nullif (numbering_b, '') AS numbering_b, min (bytes + 0) AS bytes, codec, settings, freedom, sum, values_w, nullif (values_b, '') AS values_b,
  cpu_s, memory FROM made GROUP BY material ORDER BY length (material), material;
SQL
} | sqlite3 -batch :memory:

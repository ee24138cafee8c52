#!/bin/sh
# The rows of a set, from the manifests of `subdef set`, on standard output: rows.sh METRIC [MANIFEST.json ...] > rows.new
# A line an ending, as 'subdef reformat --layouts' and 'subdef set --layouts' read it: what makes the file again to the byte, its bytes and its
# checksum (XXH3), the checksums of the values of White and Black to move, CPU seconds and memory. Of an ending that the kept list
# (METRIC-3-5.csv) or several manifests have, the smaller file stays. It is measured by:
#   subdef set --men 5 --metric wdl -o DIR && sh papers/sets/rows.sh wdl DIR/manifest.json
set -eu
metric=${1:?wdl or dtm}
shift
list=$(cd "$(dirname "$0")" && pwd)/$metric-3-5.csv
{
  echo ".mode csv"
  echo "CREATE TABLE made (material, order_w, numbering_w, order_b, numbering_b, bytes, codec, settings, freedom, sum, values_w, values_b, cpu_s, memory);"
  [ ! -f "$list" ] || echo ".import --skip 1 '$list' made"
  for manifest; do
    cat <<SQL
INSERT INTO made SELECT m, w->>'order', w->>'numbering', iif (joint, '=', b->>'order'), iif (joint, '=', b->>'numbering'), r->>'bytes',
    iif (b IS NULL OR joint OR w->>'codec' = b->>'codec', w->>'codec', w->>'codec' || '|' || (b->>'codec')),
    iif (b IS NULL OR joint OR ifnull (w->>'settings', '') = ifnull (b->>'settings', ''), ifnull (w->>'settings', ''),
      ifnull (w->>'settings', '') || '|' || ifnull (b->>'settings', '')),
    r->>'freedom', r->>'sum', r->>'values'->>0->>'checksum', r->>'values'->>1->>'checksum', round (r->>'cpu_s', 1), r->>'memory_bytes'
  FROM (SELECT value AS r, value->>'table' AS m, value->>'joint' AS joint, value->'sides'->0 AS w, value->'sides'->1 AS b
    FROM json_each (readfile ('$manifest'), '\$.files') WHERE value->>'metric' = '$metric');
SQL
  done
  cat <<SQL
.headers on
.separator , "\n"
SELECT material, order_w, numbering_w, order_b, numbering_b, min (bytes + 0) AS bytes, codec, settings, freedom, sum, values_w, values_b,
  cpu_s, memory FROM made GROUP BY material ORDER BY length (material), material;
SQL
} | sqlite3 -batch :memory:

#!/bin/sh
# Tries something new on the lists of the smallest tables, and keeps what is smaller: the new list on standard output.
#   best.sh METRIC TABLES WORK [SUBDEF [FREEDOM [CODEC SETTINGS]]] > best.new
# METRIC: wdl or dtm; TABLES: exact tables of all endings with 3 and 4 men; WORK: a folder, in which a second run goes on. Each ending is made
# in the layout of its line, with FREEDOM (all+check) and the line's codec and settings, or with others. Some ten minutes of CPU time for WDL.
set -eu
metric=${1:?wdl or dtm} tables=${2:?path to the exact tables} work=${3:?folder for what is made} subdef=${4:-subdef} freedom=${5:-all+check}
codec=${6:-} settings=${7:-}
list=$(cd "$(dirname "$0")" && pwd)/best-$metric-3-4.csv
mkdir -p "$work"
"$subdef" reformat --men 4 --metric "$metric" --freedom "$freedom" ${codec:+--codec "$codec" --set "$settings"} --layouts "$list" \
  --tables "$tables" -o "$work" -q
sqlite3 -batch :memory: <<SQL
.mode csv
.import '$list' old
.headers on
.separator , "\n"
CREATE TABLE made (material, bytes);
$(for file in "$work"/*."$metric".sdt; do echo "INSERT INTO made VALUES ('$(basename "$file" ".$metric.sdt")', $(wc -c <"$file"));"; done)
SELECT material, order_w, numbering_w, order_b, numbering_b, min (old.bytes + 0, ifnull (made.bytes, old.bytes + 0)) AS bytes,
  iif (made.bytes < old.bytes + 0 AND '$codec' <> '', '$codec', codec) AS codec,
  iif (made.bytes < old.bytes + 0 AND '$codec' <> '', '$settings', settings) AS settings,
  iif (made.bytes < old.bytes + 0, '$freedom', freedom) AS freedom FROM old LEFT JOIN made USING (material) ORDER BY old.rowid;
SQL

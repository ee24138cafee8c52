#!/bin/sh
# What `subdef set --estimate` says of files, beside what they took, as CSV: estimates.sh METRIC MEN MANIFEST.json > estimates-METRIC.csv
# subdef is looked for on PATH, or is $SUBDEF.
set -eu
metric=$1 men=$2 manifest=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${SUBDEF:-subdef}" set --men "$men" --metric "$metric" -o "$work/none" --estimate --json >"$work/jobs"
sqlite3 -batch :memory: <<SQL
.headers on
.mode csv
.separator , "\n"
CREATE TABLE line (job);
.mode ascii
.separator "\t" "\n"
.import '$work/jobs' line
.mode csv
.separator , "\n"
SELECT job->>'table' AS ending, r->>'cpu_s' AS cpu_s, round (job->>'cpu_s', 2) AS estimated_s, r->>'memory_bytes' AS memory,
  job->>'memory_bytes' AS estimated_memory, r->>'bytes' AS bytes, job->>'bytes' AS estimated_bytes
FROM line JOIN (SELECT value AS r FROM json_each (readfile ('$manifest'), '\$.files')) ON r->>'table' = job->>'table'
WHERE r->>'metric' = '$metric' AND job->>'metric' = '$metric' AND NOT job->>'exact' ORDER BY length (ending), ending;
SQL

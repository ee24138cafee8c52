#!/bin/sh
# What `--best --budget` finds in a tenth of the CPU time of the full search, and with 5 men in some minutes: run.sh TABLES WORK ROWS.csv [SUBDEF]
# TABLES: the exact tables of all endings with 3 and 4 men, and for the last rows of KRRvKR and KQRvKQ with all that they convert into.
# Rows that ROWS.csv has are kept and not measured again. One thread; some two hours of CPU time in all. Both searches without a bound on lookups.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} rows=${3:?the rows} subdef=${4:-subdef}
mkdir -p "$work"
export OMP_NUM_THREADS=1
[ -f "$rows" ] || echo "metric,ending,search,budget_s,cpu_s,bytes" >"$rows"

# row METRIC ENDING SEARCH BUDGET ARGUMENTS...: the program's CPU seconds, loading and verifying included, and the bytes of the file
row () {
  metric=$1 ending=$2 search=$3 budget=$4
  shift 4
  grep -q "^$metric,$ending,$search," "$rows" && return
  cpu=$( # of the children of this shell
    "$subdef" reformat "$ending" --metric "$metric" --best --max-latency 0 "$@" --tables "$tables" -o "$work" -f -q >"$work/log" 2>&1
    times >"$work/times"
    awk -F '[ms ]+' 'NR == 2 { printf "%.1f", $1 * 60 + $2 + $3 * 60 + $4 }' "$work/times"
  )
  echo "$metric,$ending,$search,$budget,$cpu,$(wc -c <"$work/$ending.$metric.sdt" | tr -d ' ')" >>"$rows"
}

# All endings with 4 men, and three of plies.
wdl=$("$subdef" set --men 4 --metric wdl --estimate --json | sed -n 's/.*"table":"\([^"]\{5,\}\)","metric":"wdl".*/wdl:\1/p' | sort -u)
[ -n "$wdl" ] || { echo "run.sh: no list of endings from $subdef set --estimate" >&2; exit 1; }
for table in $wdl dtm:KBvKP dtm:KQvKQ dtm:KRvKR; do
  metric=${table%:*} ending=${table#*:}
  row "$metric" "$ending" full ""
  tenth=$(awk -F, -v m="$metric" -v e="$ending" '$1 == m && $2 == e && $3 == "full" { printf "%.1f", $5 / 10 }' "$rows")
  row "$metric" "$ending" budget "$tenth" --budget "$tenth"
done
for ending in KRRvKR KQRvKQ; do
  row wdl "$ending" default "" --budget 0.001s
  row wdl "$ending" budget 300 --budget 300s
done

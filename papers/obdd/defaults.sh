#!/bin/sh
# What 'subdef reformat' might do where no option chooses: bytes and CPU seconds of each candidate for each ending with 3
# and 4 men, beside the bytes of the exact table if it is of the same metric.
#
#   sh papers/obdd/defaults.sh TABLES [METRICS] >defaults.csv
#
# TABLES has the exact tables of all 35 endings ('subdef gen --men 4', with --metric dtm, dtc and dtz50); subdef is looked
# for on PATH, or is $SUBDEF. METRICS: some of dtm, dtc, dtz50, wdl, wdl50, whose rows are printed without a heading. A process
# for each metric, of one thread; each table is read back and compared, which the seconds include. Some 15 minutes of CPU
# time.
set -eu
tables=$1
subdef=${SUBDEF:-subdef}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export OMP_NUM_THREADS=1 LC_ALL=C

# spent FOLDER: the seconds of the second line of `times`, of the processes that have ended, in the files before and after
spent () {
  awk 'FNR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m"); t[++n] = 60 * (u[1] + s[1]) + u[2] + s[2] }
    END { printf "%.2f", t[2] - t[1] }' "$1/before" "$1/after"
}

# candidate METRIC CODEC SETTINGS NUMBERING SIDES FREEDOM: a row for each ending
candidate () {
  case $1 in wdl) from=dtm ;; wdl50) from=dtz50 ;; *) from=$1 ;; esac
  for exact in "$tables"/*."$from".sdt; do
    ending=$(basename "$exact" ".$from.sdt")
    times >"$out/$1/before"
    "$subdef" reformat "$ending" --metric "$1" --tables "$tables" -o "$out/$1" -q -f --codec "$2" ${3:+--set "$3"} \
      --numbering "$4" --sides "$5" --freedom "$6" 2>/dev/null
    times >"$out/$1/after"
    echo "$ending,$1,$([ "$from" != "$1" ] || wc -c <"$exact"),$2,\"$3\",$4,$5,$6,$(wc -c <"$out/$1/$ending.$1.sdt"),$(spent "$out/$1")"
  done
}

# candidates METRIC: all rows of a metric
candidates () {
  mkdir "$out/$1"
  candidate "$1" repair "" rows both all
  case $1 in wdl*) candidate "$1" obdd "" folded both all ;; esac
  candidate "$1" obdd choices=256,pairs=256 folded joint all
  case $1 in
    wdl) candidate "$1" obdd "" folded both all+check ;;
    wdl50) ;;
    *) candidate "$1" obdd choices=256,pairs=256 folded joint all+check ;;
  esac
}

metrics=${2:-dtm dtc dtz50 wdl wdl50}
for metric in $metrics; do
  candidates "$metric" >"$out/$metric.csv" &
  running="${running:-} $!"
done
for process in $running; do
  wait "$process"
done
[ $# -gt 1 ] || echo "material,metric,exact,codec,settings,numbering,sides,freedom,bytes,cpu_s"
for metric in $metrics; do
  cat "$out/$metric.csv"
done

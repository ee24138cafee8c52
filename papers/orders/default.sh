#!/bin/sh
# Tables of plies in the order that a sample chooses (the default with 5 men and more), beside the order of the name: default.sh TABLES METRIC
# CODEC ENDING... > CSV, without the head where HEAD=no. CPU seconds are those of the program, one thread.
set -eu
export OMP_NUM_THREADS=1
tables=$1 metric=$2 codec=$3
shift 3
subdef=${SUBDEF:-subdef}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
[ "${HEAD:-}" = no ] || echo metric,codec,ending,white_order,black_order,bytes,cpu_s,name_bytes,name_cpu_s

# the men of each kind once, White's in capitals: KBBvKN is KBkn
name_of () {
  echo "$1" | awk -Fv '{ for (c = 1; c <= 2; c++) for (i = 1; i <= length ($c); i++) { m = substr ($c, i, 1); if (i == 1 || m != substr ($c, i - 1, 1))
    printf "%s", c == 1 ? m : tolower (m) } print "" }'
}

# made WHAT ENDING [OPTION...]: with WHAT orders the orders and bytes of the file, with bytes its bytes alone; CPU seconds behind them
made () {
  what=$1
  shift
  /usr/bin/time -f %U -o "$work/time" "$subdef" reformat "$@" --metric "$metric" --tables "$tables" --codec "$codec" -f -o "$work" \
    >"$work/said" 2>"$work/err" || { cat "$work/err" >&2; exit 1; }
  tr -d , <"$work/said" >"$work/line"
  awk -v what="$what" '{ for (i = 1; i <= NF; i++) { if ($i == "bytes" && !bytes) bytes = $(i - 1); if ($i == "w:" || $i == "b:") order[$i] = $(i + 3) } }
    END { printf "%s%s,", what == "orders" ? order["w:"] "," order["b:"] "," : "", bytes }' "$work/line"
  tr -d '\n' <"$work/time"
}

for ending; do
  printf '%s,' "$metric,$codec,$ending"
  made orders "$ending"
  printf ,
  made bytes "$ending" --order "$(name_of "$ending")"
  echo
done

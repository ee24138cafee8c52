#!/bin/sh
# When does balancing pay (Makhnychev 2012, 3.6)? Simulates iterations of solved endings with and without it, over imbalances d of many sizes:
# imbalance.csv has a line for each iteration. Then whole runs in which a rank gives other shares of a difference than half: shares.csv.
usage () {
  cat <<END
usage: imbalance.sh [-s SUBDEF] [-p TABLES] [-o FOLDER]
  -s  the program subdef (default: the one in PATH)
  -p  where the tables are that KQvKR, KRvKP and KBNvK lead to (default: .)
  -o  where imbalance.csv and shares.csv go (default: .)
END
}
subdef=subdef tables=. out=.
while getopts s:p:o:h option; do
  case $option in
    s) subdef=$OPTARG ;;
    p) tables=$OPTARG ;;
    o) out=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# simulate ENDING SCALE OPTION...
simulate () {
  ending=$1 scale=$2
  shift 2
  "$subdef" simulate "$ending" --tables "$tables" --ranks 64,512,4096 --scale "$scale" --csv "$@"
}

echo ending,scale,ranks,iteration,imbalance_states,least_imbalance_states,plain_s,balanced_s >"$work/imbalance.csv"
for ending in KQvKR KRvKP; do
  for scale in 10 1000 100000; do # imbalances from far below what pays to far above
    simulate "$ending" "$scale" --variants plain,balanced --iterations >"$work/rows" || exit 1
    awk -F, -v first="$ending,$scale" -v OFS=, '
      NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
      { key = $column["ranks"] OFS $column["iteration"]; seconds = $column["seconds"] }
      $column["variant"] == "plain" { plain[key] = seconds; next }
      plain[key] > 0 { printf "%s,%s,%.5g,%.5g,%.5g,%.5g\n", first, key, $column["imbalance_states"], $column["least_imbalance_states"], plain[key], seconds }' \
      "$work/rows" >>"$work/imbalance.csv"
  done
done
echo ending,scale,ranks,share,seconds,transfers,moved >"$work/shares.csv"
for ending in KBNvK KQvKR KRvKP; do
  for scale in 1000 10000; do
    for share in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9; do
      simulate "$ending" "$scale" --variants balanced --give-share "$share" >"$work/rows" || exit 1
      awk -F, -v first="$ending,$scale" -v share="$share" -v OFS=, '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { print first, $column["ranks"], share, sprintf ("%.5g", $column["seconds"]), $column["transfers"], $column["moved"] }' "$work/rows" >>"$work/shares.csv"
    done
  done
done
cp "$work/imbalance.csv" "$work/shares.csv" "$out"

#!/bin/sh
# Simulates the load balancing of Makhnychev 2012, Sec. 3.6 on 64 to 65,536 ranks: a line of FILE for each number of ranks, variant and interval.
usage () {
  cat <<END
usage: balance.sh [-s SUBDEF] [-p TABLES] [-o FILE] [-e ENDING] [-k SCALE] [-r RANKS] [-q 'SECONDS ...']
  -s  the program subdef (default: the one in PATH)
  -p  where the tables are that the ending leads to (default: .)
  -o  the lines (default: balance.csv)
  -e  the ending whose iterations are taken (default: KQRvKQ)
  -k  each of its states stands for so many (default: 2640, which makes 6.4e11 of the 2.4e8 of KQRvKQ)
  -r  numbers of ranks, with commas (default: powers of two from 64 to 65536, and the primes below them)
  -q  intervals between two reports, in seconds (default: '1 0.1')
END
}
here=$(dirname "$0")
subdef=subdef tables=. out=balance.csv ending=KQRvKQ scale=2640 intervals='1 0.1'
ranks=64,128,256,512,1024,2048,4096,8192,16384,32768,65536,61,127,251,509,1021,2039,4093,8191,16381,32749,65521
while getopts s:p:o:e:k:r:q:h option; do
  case $option in
    s) subdef=$OPTARG ;;
    p) tables=$OPTARG ;;
    o) out=$OPTARG ;;
    e) ending=$OPTARG ;;
    k) scale=$OPTARG ;;
    r) ranks=$OPTARG ;;
    q) intervals=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
commit=${COMMIT:-$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo unknown)}
all=$(mktemp) && raw=$(mktemp) || exit 1
trap 'rm -f "$raw" "$all"' EXIT
"$subdef" simulate "$ending" --tables "$tables" --ranks "$ranks" --mixing 1 --scale "$scale" --interval "$(echo "$intervals" | tr ' ' ',')" --csv \
  >"$raw" || exit 1
# all columns but the imbalance from which balancing pays, which imbalance.sh looks at, and those of the exchange, which is not counted
awk -F, -v front="$commit,$ending" '{
  line = NR == 1 ? "commit,ending" : front
  for (i = 1; i <= NF; i++) {
    if (NR == 1)
      left_out[i] = $i == "least_imbalance_states" || $i == "marks" || $i ~ /^mark_/ || $i == "exchange_seconds"
    if (!left_out[i])
      line = line "," $i
  }
  print line
}' "$raw" >"$all"
cp "$all" "$out"

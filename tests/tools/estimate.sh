#!/bin/sh
# subdef reformat --estimate and subdef set --estimate: what they say of a small set is near to what its files then are and took, for
# several codecs and metrics; nothing is written; what there is no estimate of is refused.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
. "$src/tests/syzygy/checks.sh"
. "$src/tests/gen/ranks.sh"
export OMP_NUM_THREADS=1
"$build/tools/subdef-gen" KRvKB KRvKN KQvK KRvK -q -o exact >log 2>&1 || exit 99
# run STATUS ARGUMENTS...: of the program, its exit status; log has what it printed, err its messages
run () {
  expected=$1
  shift
  "$subdef" "$@" >log 2>err
  [ $? -eq "$expected" ] || { cat err; return 1; }
}
# ask FILE SQL: of the JSON array in the file, whose elements are r
ask () { sqlite3 -batch :memory: "SELECT $2 FROM (SELECT value AS r FROM json_each (readfile ('$1')))"; }
# near A B FACTOR: neither is more than so many times the other
near () { awk "BEGIN { exit !($1 > 0 && $2 > 0 && $1 <= $3 * $2 && $2 <= $3 * $1) }"; }
between () { awk "BEGIN { exit !($1 <= $2 && $2 <= $3) }"; }

for how in "wdl obdd 1.3" "wdl repair 1.2" "wdl huffman 1.1" "dtm repair 1.2" "dtm obdd 1.5"; do
  # shellcheck disable=SC2086
  set -- $how
  metric=$1 codec=$2 factor=$3 what="$1, $2"
  words="-m $metric"
  [ "$codec" = obdd ] || words="$words --codec $codec"
  # diagrams of plies are told within their bounds together, not one by one
  names="KRvKN KQvK KRvK"
  [ "$metric-$codec" != dtm-obdd ] || names="KRvKB $names"
  # shellcheck disable=SC2086
  check "$what: estimated" run 0 reformat $names $words --tables exact -o none --estimate --statistics --json
  check "$what: nothing is made" [ ! -e none ]
  cp log estimated
  # shellcheck disable=SC2086
  check "$what: made" run 0 set $names $words --exact exact -o "$metric-$codec" -q
  sqlite3 -batch :memory: "SELECT value->'files' FROM json_each (json_array (json (readfile ('$metric-$codec/manifest.json'))))" >made
  told=$(ask estimated "sum (r->>'bytes') FILTER (WHERE r->>'table' IN ('KRvKB', 'KRvKN', 'KQvK', 'KRvK'))")
  all=$(ask estimated "r->>'bytes'" | tail -1) low=$(ask estimated "r->>'bytes_low'" | tail -1) high=$(ask estimated "r->>'bytes_high'" | tail -1)
  is=$(ask made "sum (r->>'bytes') FILTER (WHERE r->>'table' IN ('KRvKB', 'KRvKN', 'KQvK', 'KRvK'))")
  check "$what: the sum is that of the tables" [ "$all" = "$told" ]
  check "$what: $told bytes, and $is are made" near "$told" "$is" "$factor"
  check "$what: $is bytes lie between $low and $high" between "$low" "$is" "$high"
  for value in cpu_s memory_bytes; do
    is=$(ask made "r->>'$value' || ' ' || (r->>'table')" | sed -n 's/ KRvKN$//p')
    told=$(ask estimated "r->>'$value' || ' ' || ifnull (r->>'table', '')" | sed -n 's/ KRvKN$//p')
    check "$what, KRvKN: $value $told, and $is" near "$told" "$is" 2.5
  done
done

# ------------------------------------------------------------------------ a set
check "a set with its exact tables" run 0 set KRvKN -m wdl --exact exact -o none --estimate --json
check "a set: from samples" [ "$(grep -c '"sampled":true' log)" -eq 3 ]
check "a set: nothing is made" [ ! -e none ]
told=$(sed -n 's/.*"KRvKN".*"bytes":\([0-9]*\).*/\1/p' log | tail -1) is=$(wc -c <wdl-obdd/KRvKN.wdl.sdt)
check "a set: $told bytes, and $is are made" near "$told" "$is" 1.4
check "a set without them" run 0 set KRvKN -m wdl -o none --estimate --json
check "a set without them: from the material" sh -c '! grep -q "\"sampled\":true" log && grep -q "\"sampled\":false" log'

# ---------------------------------------------------------------------- refused
check "a text" run 0 reformat KRvK KQvK -m wdl --tables exact -o none --estimate
check "a text: a line for all" grep -q '^in all .* bytes (.*) .* CPU-s .* MB$' log
check "a search" run 2 reformat KRvK --best --tables exact -o none --estimate
check "a search: said" grep -q -e '--estimate: what a search takes and finds is not known before' err
check "another game" run 2 reformat --game draughts KvK -m wdl -o none --estimate
check "another format" run 2 reformat KRvK --to rtbw --tables exact -o none --estimate
check "no exact table" run 1 reformat KBvK --tables none -o none --estimate
check "nothing was made" [ ! -e none ]
checks_end

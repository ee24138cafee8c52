#!/bin/sh
# Sizes of diagrams are pinned: results of the endings in papers/obdd/wdl-3-4.csv (polish=20) and distances of those in dtm-3-4.csv
# (the settings below), in the layouts of those files, are coded, every position restored and compared, and must not grow. A smaller size
# is told, so that the file can follow. Some small endings; with SD_LONG_TESTS=1 all in the two files.
set -eu
tables=$SD_BUILDDIR/tests/tables
out=$SD_BUILDDIR/tests/papers/obdd-sizes
subdef=$SD_BUILDDIR/tools/subdef

# metric, settings, endings
pin () {
  metric=$1 set_to=$2
  shift 2
  number=$#
  pinned=$SD_SRCDIR/papers/obdd/$metric-3-4.csv
  rm -rf "$out"
  "$subdef" reformat "$@" --metric "$metric" --freedom all --codec obdd --set "$set_to" --layouts "$pinned" --tables "$tables" -o "$out" -q 2>/dev/null
  "$subdef" list --tables "$out" --metric "$metric" --layouts | awk -F, -v pinned="$pinned" -v number="$number" -v metric="$metric" '
    BEGIN { while ((getline line < pinned) > 0) { split (line, f, ","); want[f[1]] = f[6] } }
    NR > 1 {
      n++; sum += $6; pinned_sum += want[$1]
      if (!($1 in want)) { print "FAIL " $1 " is not pinned"; bad = 1; next }
      if ($6 + 0 > want[$1] + 0) { print "FAIL " $1 " " metric " grew from " want[$1] " to " $6 " bytes"; bad = 1 }
      if ($6 + 0 < want[$1] + 0) print "smaller: " $1 " " metric " fell from " want[$1] " to " $6 " bytes; pin it"
    }
    END {
      print n " tables of " metric ", " sum " bytes, pinned " pinned_sum
      if (n != number) { print "FAIL: expected " number " tables"; bad = 1 }
      exit bad
    }'
  rm -rf "$out"
}

# the endings of a pinned file
all () {
  awk -F, 'NR > 1 { print $1 }' "$SD_SRCDIR/papers/obdd/$1-3-4.csv"
}

# Results with the nodes stored as Kristensen 2005 stores them, squares folded.
forms () {
  for form in edges ideal; do
    rm -rf "$out"
    "$subdef" reformat "$1" --metric wdl --freedom all --codec obdd --set "nodes=$form" --numbering folded --tables "$tables" -o "$out" -q
    bytes=$(wc -c <"$out/$1.wdl.sdt")
    pinned=$(awk -F, -v m="$1" -v form=$form '$1 == m && $2 == form { print $3 }' "$SD_SRCDIR/papers/obdd/nodes.csv")
    echo "$1, nodes=$form: $bytes bytes, pinned $pinned"
    [ "$bytes" -le "$pinned" ] || { echo "FAIL $1 nodes=$form has grown"; exit 1; }
  done
  rm -rf "$out"
}

# The search finds a layout at least as good as the pinned one, and keeps the codec that is named.
search () {
  rm -rf "$out"
  "$subdef" reformat "$1" --metric wdl --freedom all --codec obdd --best --max-latency 0 --tables "$tables" -o "$out" | awk -v name="$1" -v pinned="$(awk -F, -v m="$1" '$1 == m { print $6 }' "$SD_SRCDIR/papers/obdd/wdl-3-4.csv")" '
    $1 == name { n++; bytes = $3 } # what follows is what was tried
    $1 == name && (/ w: [0-9]+ obdd .* b: [0-9]+ obdd / || / both: [0-9]+ obdd /) { kept = 1 }
    END {
      print name ": " bytes " bytes found, pinned " pinned
      if (n != 1 || !kept) { print "FAIL " name ": the search has changed the codec"; exit 1 }
      if (bytes + 0 > pinned + 0) { print "FAIL " name ": the search finds less than is pinned"; exit 1 }
    }'
  rm -rf "$out"
}

search KPvK
dtm=sums=yes,choices=256,pairs=256,clusters=16
if [ "${SD_LONG_TESTS:-0}" = 1 ]; then
  pin wdl polish=20 $(all wdl)
  pin dtm "$dtm" $(all dtm)
  for m in KPvK KQvKR KQvKQ KRvKP; do forms $m; done
else
  forms KPvK
  pin wdl polish=20 KPvK KQQvK KQvK KRRvK
  pin dtm "$dtm" KPvK KQvK KRvK
fi

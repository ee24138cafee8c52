#!/bin/sh
# The order in which subdef reformat codes plies of 5 men: samples choose it for each side to move, also that of the name, and options
# choose otherwise.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
. "$src/tests/syzygy/checks.sh"
"$build/tools/subdef-gen" KNNNvK -q -o exact >log 2>&1 || exit 99
# make FOLDER OPTION...; values that no move has to restore take half the time, and have an order like all others
make () {
  folder=$1
  shift
  "$subdef" reformat KNNNvK -m dtm --coding signed --freedom none --tables exact -o "$folder" "$@" >log 2>&1
}
# layouts FOLDER: order and numbering of each side
layouts () {
  "$subdef" info --json "$1/KNNNvK.dtm.sdt" --tables exact:"$1" >info.json 2>err &&
    sqlite3 -batch :memory: "SELECT group_concat (value->>'order' || ' ' || (value->>'numbering'), ', ') FROM json_each (readfile ('info.json'), '\$[0].sides')"
}
bytes () { wc -c <"$1/KNNNvK.dtm.sdt"; }
is () { # FOLDER LAYOUTS
  echo "$(layouts "$1"), expected $2"
  [ "$(layouts "$1")" = "$2" ]
}

check "by default" make default
check "by default: each side in its own" is default "kNK rows, KNk rows"
if [ "${SD_LONG_TESTS:-0}" = 1 ]; then # in the coding and with the freedom of a user who says nothing
  check "without an option" "$subdef" reformat KNNNvK -m dtm --tables exact -o plain
  check "without an option: each side in its own" is plain "kNK rows, KNk rows"
fi
check "the same command again" make default
check "keeps the file" has 'is there already\|kept\|nothing to do\|made before'
check "another numbering" make numbered --numbering hilbert --codec rle
check "another numbering of the same orders" is numbered "kNK hilbert, KNk hilbert"
check "in the order of the name" make name --order KNk --numbering hilbert --codec rle
check "which is larger" [ "$(bytes numbered)" -lt "$(bytes name)" ]
check "the order is a choice of its own" is name "KNk hilbert, KNk hilbert"
check "one stream for both sides" make joint --sides joint --codec huffman
check "is in the order of the name" is joint "KNk rows, KNk rows"
check "estimated" make none --estimate --json
told=$(sqlite3 -batch :memory: "SELECT readfile ('log')->>'\$[0].bytes'")
check "estimated in these orders: $told, and $(bytes default) are made" awk "BEGIN { exit !($told > .8 * $(bytes default) && $told < 1.25 * $(bytes default)) }"
checks_end

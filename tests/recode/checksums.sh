#!/bin/sh
# Published checksums (docs/checksums.md): the same for every codec, coding and layout, made once more by a script that knows nothing
# of subdef, and a list that says otherwise is noticed.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) source=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
fail () { echo "FAIL: $*" >&2; exit 1; }

"$subdef" gen KQvK KRvK KPvK KRvKR -q -o exact >/dev/null || fail "gen"
"$subdef" gen KQvK KRvK KPvK --metric dtz50 -q -o exact50 >/dev/null || fail "gen --metric dtz50"
"$subdef" gen KPvK KQvKR --metric dtc -q -o conversion >/dev/null || fail "gen --metric dtc"
for ending in KRvK KPvK KRvKR; do
  "$subdef" reformat $ending --metric wdl --codec repair --tables exact -o wdl -q || fail "$ending wdl"
  "$subdef" reformat $ending --metric dtm --codec trees --numbering folded --tables exact:wdl -o dtm -q || fail "$ending dtm"
done
"$subdef" reformat KPvK --metric wdl50 --codec obdd --tables exact50 -o wdl50 -q || fail "KPvK wdl50"
"$subdef" reformat KPvK --metric dtc --codec obdd --tables conversion:wdl -o dtc -q || fail "KPvK dtc"
set -- exact/*.sdt exact50/*.sdt wdl/*.sdt dtm/*.sdt wdl50/*.sdt conversion/*.sdt dtc/*.sdt
"$subdef" verify --published --tables exact:exact50:wdl:conversion "$@" >said ||
  fail "a table whose values are not the published ones"
[ "$(grep -c 'ok: [0-9,]* positions with the published checksum$' said)" -eq $# ] ||
  fail "verify --published said: $(cat said)"

# conversions: without pawns, the plies to zeroing; of KQvKR 31 moves and of KPvK 19 (Thompson)
awk -F, '$2 == "dtc" || $2 == "dtz50" { key = $1 "," $3; key in seen ? same[key] = seen[key] == $NF : seen[key] = $NF }
  END { for (key in same) if (same[key] == (key ~ /P.*,/)) print key; if (length (same) != 65) print length (same) " of 65" }' \
  "$source/docs/checksums.csv" >said
[ ! -s said ] || fail "dtc and dtz50 in docs/checksums.csv: $(cat said)"
[ "$("$subdef" info --checksums KQvKR KPvK --tables conversion | awk -F, '$3 == "w" { printf "%s %d ", $1, ($8 + 1) / 2 }')" = "KQvKR 31 KPvK 19 " ] ||
  fail "longest conversions: $("$subdef" info --checksums KQvKR KPvK --tables conversion)"

# another list: the second line of KRvK says something else
mkdir -p data/docs
sed 's/^\(KRvK,dtm,b,.*\),[0-9a-f]*$/\1,0123456789abcdef/' "$source/docs/checksums.csv" >data/docs/checksums.csv
SUBDEF_DATA=$work/data "$subdef" verify --published KRvK --tables exact >said 2>&1 && fail "another checksum is not noticed"
[ "$(grep -c 'KRvK.dtm.sdt: the values with Black to move have the checksum [0-9a-f]*, but 0123456789abcdef is published' said)" -eq 1 ] ||
  fail "it says: $(cat said)"
sed '/^KRvK,/d' "$source/docs/checksums.csv" >data/docs/checksums.csv
SUBDEF_DATA=$work/data "$subdef" verify --published KRvK --tables exact >said 2>&1 && fail "no checksum, and no word of it"
grep -q 'no checksum of these values is published' said || fail "it says: $(cat said)"
# without the smaller tables, beside the file
mkdir alone && "$subdef" reformat KPvK --metric wdl --tables exact -o alone >/dev/null || fail "KPvK"
(cd alone && "$subdef" verify --published KPvK.wdl.sdt) >said 2>&1 && fail "no smaller tables, and no word of it"
grep -q 'K[QRBN]vK.wdl.sdt: not found in the current folder; .*--tables DIR' said || fail "it says: $(cat said)"

"$subdef" info --statistics --json KRvK --tables exact >json || fail "info --statistics --json"
for text in '"longest_win": {' '"value": 31' '"positions": 21959' '"text": "mate in 31 plies"' '"checksum": "'; do
  grep -q "$text" json || fail "no $text in: $(head -40 json)"
done
if command -v python3 >/dev/null; then
  for ending in KRvK KPvK; do
    "$subdef" dump $ending $ending.bin --tables exact >/dev/null || fail "dump $ending"
    python3 "$source/docs/examples/checksum.py" $ending $ending.bin >theirs || fail "checksum.py $ending"
    "$subdef" info --checksums $ending --tables exact | sed 1d | cut -d, -f1-4,10 >ours
    cmp theirs ours || fail "$ending: $(cat theirs ours)"
  done
fi
echo "PASS: checksums"

#!/bin/sh
# Between diagrams and large blocks of trees: small.sh TABLES WORK [SUBDEF] >small.csv. DTM, both sides, of KQvKR:
# the bytes of the file and the median of a lookup in it, for diagrams and for small forests with few slots in a block.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
mkdir -p "$work"
row () { # ENDING CODEC SETTINGS [OPTION...]
  ending=$1 codec=$2 set=$3
  shift 3
  "$subdef" reformat "$ending" --metric dtm --freedom all --codec "$codec" --set "$set" "$@" --tables "$tables" -o "$work" -f -q
  ns=$("$subdef" bench probe "$ending" --metric dtm --count 20000 --tables "$work:$tables" 2>/dev/null \
    | awk '/table alone/ { print $4 }')
  echo "$ending,$codec,\"$set\",$(wc -c <"$work/$ending.dtm.sdt"),$ns"
}
echo ending,codec,settings,file_bytes,lookup_ns
"$subdef" reformat KQvKR --metric wdl --freedom all --tables "$tables" -o "$work" -q
row KQvKR obdd clusters=1 --numbering folded
row KQvKR obdd clusters=64 --numbering folded
for slots in 64 128 256; do
  row KQvKR trees "block=128,slots=$slots,trees=4,leaves=500"
done
row KQvKR forest block=128,slots=64,trees=2,leaves=64
row KQvKR forest block=128,slots=64,trees=4,leaves=500
for slots in 16 32 64 128 256; do
  row KQvKR forest "block=128,slots=$slots,trees=8,leaves=1000"
done
row KQvKR forest block=128,slots=64,trees=16,leaves=1000

#!/bin/sh
# WDL with 5 men by forests, both sides, in the order of the name: five.sh TABLES WORK [SUBDEF] >five.csv. TABLES: the exact DTM tables
# of the endings and of all that they convert into. Some minutes of CPU time a row, up to an hour with pawns.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
mkdir -p "$work"
row () { # ENDING CODEC SETTINGS SYZYGY
  "$subdef" reformat "$1" --metric wdl --freedom all --codec "$2" --set "$3" --tables "$tables" -o "$work" -f \
    | sed -n "s/,//g; s/^$1 .* \([0-9]*\) bytes  *w: \([0-9]*\) .*b: \([0-9]*\) .*/$1,$2,\"$(echo "$3" | sed 's/,/;/g')\",\2,\3,\1,$4/p" \
    | tr ';' ','
}
echo ending,codec,settings,white_bytes,black_bytes,bytes,syzygy_bytes
for large in block=1024 block=1024,groups=no block=4096,trees=24,leaves=1300,samples=8000,groups=no; do
  row KQRvKQ forest $large 3095888
  row KBNvKN forest $large 3575952
done
row KRPvKR forest block=1024,groups=no 16378576
row KBPvKN forest block=1024,groups=no 20381328

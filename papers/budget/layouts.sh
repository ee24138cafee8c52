#!/bin/sh
# What one stream of trees for both sides to move takes in all orders of the men, squares in rows, as CSV:
#   layouts.sh TABLES WORK [SUBDEF] > layouts.new
# TABLES: exact tables of KRvKN and KNvKP with all that they convert into. Of KRvKN White's king or the knight leads, of KNvKP the pawn or the
# first king. Some 20 minutes of CPU time.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef}
mkdir -p "$work"
orders () { # the men that are left, the order so far
  [ -n "$1" ] || { echo "$2"; return; }
  for man in $(echo "$1" | sed 's/./& /g'); do
    orders "$(echo "$1" | sed "s/$man//")" "$2$man"
  done
}
echo ending,order,bytes
{
  for order in $(orders KRkn ""); do
    echo "KRvKN $(echo "$order" | sed 's/K/K!/')"
    echo "KRvKN $(echo "$order" | sed 's/n/n!/')"
  done
  for order in $(orders KNkp ""); do
    echo "KNvKP $order"
    echo "KNvKP $(echo "$order" | sed 's/p/p!/')"
  done
} | while read -r ending order; do
  "$subdef" reformat "$ending" --metric wdl --codec trees --set block=8192 --freedom all+evident --sides joint --order "$order" --numbering rows \
    --tables "$tables" -o "$work" -f -q </dev/null
  echo "$ending,$order,$(wc -c <"$work/$ending.wdl.sdt" | tr -d ' ')"
done | sort

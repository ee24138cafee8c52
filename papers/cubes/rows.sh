#!/bin/sh
# What codes of run lengths and our codecs make of test cubes, on standard output: rows.sh [FILE.cubes...] > cubes.csv
# Without files: the sets that cubes.py makes. Bytes of whole files, of the two codes those of the bits alone.
#   sh papers/cubes/rows.sh > papers/cubes/cubes.csv
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || {
  mkdir "$work/made"
  while read -r name cubes bits share; do
    python3 "$here/cubes.py" make "$cubes" "$bits" "$share" 1 >"$work/made/$name.cubes"
  done <"$here/sets.txt"
  set -- "$work"/made/*.cubes
}
echo cubes,codec,bits,free,bytes
for file; do
  name=$(basename "$file" .cubes)
  row=$(python3 "$here/cubes.py" code "$file")
  facts=$(echo "$row" | cut -d, -f1,2)
  echo "$name,bits,$facts,$(($(echo "$row" | cut -d, -f1) / 8))"
  echo "$name,golomb bits,$facts,$(echo "$row" | cut -d, -f3)"
  echo "$name,fdr bits,$facts,$(echo "$row" | cut -d, -f4)"
  subdef import "$file" -q -f -o "$work/$name.sda"
  for codec in ${CODECS-golomb fdr rle huffman repair obdd trees forest lzma zstd}; do
    subdef reformat "$work/$name.sda" --codec "$codec" -q -o "$work/$codec"
    echo "$name,$codec,$facts,$(wc -c <"$work/$codec/$name.sda")"
  done
done

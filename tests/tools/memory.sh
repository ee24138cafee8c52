#!/bin/sh
# subdef reformat --memory: what making a table takes stays below what the program says that it may take, which it refuses beforehand where
# the bound is less; and the bytes do not depend on the bound.
build=$(cd "${SD_BUILDDIR:-.}" && pwd) src=$(cd "${SD_SRCDIR:-.}" && pwd)
subdef=$build/tools/subdef
. "$src/tests/syzygy/checks.sh"
. "$src/tests/gen/ranks.sh"
"$build/tools/subdef-gen" KQvKR -q -o exact >log 2>&1 || exit 99
# may METRIC CODEC THREADS: bytes that a bound of one byte is refused with
may () {
  OMP_NUM_THREADS=$3 "$subdef" reformat KQvKR -m "$1" --codec "$2" --tables exact -o none --memory 1 2>err >log
  sed -n 's/.*takes some \([0-9,]*\) bytes.*/\1/p' err | tr -d ,
}
# the row of a manifest: what one process took, with one thread
took () { sed -n '/"table": *"KQvKR"/,$p' "$1/manifest.json" | sed -n 's/.*"memory_bytes": *\([0-9]*\).*/\1/p' | head -1; }
for metric in wdl dtm; do
  for codec in repair huffman obdd; do
    OMP_NUM_THREADS=1 "$subdef" set KQvKR -m $metric --codec $codec --exact exact -o $metric-$codec -q >log 2>&1 || exit 99
    may=$(may $metric $codec 1) least=$(may $metric $codec 2) took=$(took $metric-$codec)
    check "$metric, $codec: $took bytes, $may may be taken" [ "${took:-0}" -gt 1000000 ] && check "$metric, $codec: no more" [ "$took" -le "${may:-0}" ]
    check "$metric, $codec: with two threads within the same bytes the sides follow one another" \
      env OMP_NUM_THREADS=2 "$subdef" reformat KQvKR -m $metric --codec $codec --tables exact -o bound --memory "$least" -q --force
    check "$metric, $codec: it is the same file" cmp bound/KQvKR.$metric.sdt $metric-$codec/KQvKR.$metric.sdt
  done
done
# trees, of which each thread holds samples of its own
OMP_NUM_THREADS=2 "$subdef" set KQvKR -m wdl --codec trees --jobs 1 --exact exact -o wdl-trees -q >log 2>&1 || exit 99
may=$(may wdl trees 2) one=$(may wdl trees 1) took=$(took wdl-trees)
check "trees: two threads may take more than one" [ "${may:-0}" -gt "${one:-0}" ]
check "trees, two threads: $took bytes, $may may be taken" [ "${took:-0}" -gt 1000000 ] && check "trees, two threads: no more" [ "$took" -le "${may:-0}" ]
# a codec that goes back to the slots as they were before it coded
optimal () { env OMP_NUM_THREADS=$1 "$subdef" reformat KQvKR --codec repair --set "$2" --tables exact -o optimal$1 -q --force; }
for set in parse=optimal parse=optimal,sample=100000; do
  check "$set: the sides one after the other" optimal 1 $set
  check "$set: both at once" optimal 2 $set
  check "$set: it is the same file" cmp optimal1/KQvKR.wdl.sdt optimal2/KQvKR.wdl.sdt
done
may dtm obdd 1 >/dev/null
check "a bound that is too small: the reason and what takes less" grep -q 'KQvKR: takes some [0-9,]* bytes of memory by codec obdd, and may take 1; of WDL huffman and repair take least' err
check "a bound that is too small: nothing is made" [ ! -e none/KQvKR.dtm.sdt ]
"$subdef" reformat KQvKR --tables exact -o none --memory many 2>err
check "a bound that is none" grep -q "a number of bytes, with k, M, G or T behind it" err
checks_end

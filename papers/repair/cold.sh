#!/bin/sh
# Cold probes against block size: cold.sh TABLES WORK [SUBDEF [SOURCE [LIBRARY]]] >cold.csv. DTM of KRvKP, complete by itself, nothing free,
# in LZMA blocks and in RE-PAIR's. SOURCE and LIBRARY: the source tree and libsubdef.a or .so of a build that is not installed.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} subdef=${3:-subdef} source=${4:-} library=${5:-}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$work"
if [ -n "$source" ]; then
  # shellcheck disable=SC2086
  ${CC:-cc} -O2 "-I$source" "$here/cold.c" "$library" -o "$work/cold" ${LIBS-}
else
  # shellcheck disable=SC2046
  ${CC:-cc} -O2 "$here/cold.c" $(pkg-config --cflags --libs subdef) -o "$work/cold"
fi
echo "ending,codec,block,reading,file_bytes,cold_us,warm_us,cold_90_us,pages,kept"
for line in lzma:1024 lzma:4096 lzma:16384 lzma:65536 lzma:262144 repair:1024; do
  folder=$work/cold-${line%:*}-${line#*:}
  [ -f "$folder/KRvKP.dtm.sdt" ] || "$subdef" reformat KRvKP --metric dtm --coding signed --freedom none --codec "${line%:*}" \
    --set "block=${line#*:}" --tables "$tables" -o "$folder" -q
  for reading in page readahead; do
    echo "KRvKP,${line%:*},${line#*:},$reading,$("$work/cold" "$folder/KRvKP.dtm.sdt" KRvKP 300 $reading)"
  done
done

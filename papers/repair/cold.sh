#!/bin/sh
# Cold probes against block size: cold.sh TABLES WORK COLD [SUBDEF] >cold.csv. DTM of KRvKP, complete by itself, no freedom,
# in LZMA blocks and in RE-PAIR's. COLD is the program of cold.c: make -C build papers/repair/cold.
set -eu
tables=${1:?path to the exact tables} work=${2:?folder for what is made} cold=${3:?the program of cold.c} subdef=${4:-subdef}
mkdir -p "$work"
echo "ending,codec,block,reading,file_bytes,cold_us,warm_us,cold_90_us,pages,kept"
for line in lzma:1024 lzma:4096 lzma:16384 lzma:65536 lzma:262144 repair:1024; do
  folder=$work/cold-${line%:*}-${line#*:}
  [ -f "$folder/KRvKP.dtm.sdt" ] || "$subdef" reformat KRvKP --metric dtm --coding signed --freedom none --codec "${line%:*}" \
    --set "block=${line#*:}" --tables "$tables" -o "$folder" -q
  for reading in page readahead; do
    echo "KRvKP,${line%:*},${line#*:},$reading,$("$cold" "$folder/KRvKP.dtm.sdt" KRvKP 300 $reading)"
  done
done

#!/bin/sh
# What a query says of the CSV files: ask.sh FILE.sql [NAME VALUE]..., in the folder of the query. All CSV files of papers/ and tests/data/
# are tables that are called by their paths: papers/repair/final.csv is "repair/final", tests/data/x.csv is "data/x". A value is what the
# query calls :NAME. Columns of the answer are parted by blanks. Needs sqlite3.
set -eu
papers=$(cd "$(dirname "$0")" && pwd)
query=$(cat "${1:?a query}")
shift
{
  for file in "$papers"/*.csv "$papers"/*/*.csv "$papers"/../tests/data/*.csv; do
    name=${file#"$papers"/}
    name=${name#../tests/}
    name=\"${name%.csv}\"
    case $query in
      *"$name"*) echo ".import --csv \"$file\" $name" ;;
    esac
  done
  while [ $# -gt 0 ]; do
    echo ".parameter set :$1 \"'$2'\""
    shift 2
  done
  echo '.mode list'
  echo '.separator " "'
  echo "$query"
} | sqlite3 -bail :memory:

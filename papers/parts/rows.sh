#!/bin/sh
# What a table takes that is coded in parts, on standard output: rows.sh DIR ENDING CODEC PARTS TASKS [METRIC] > row, PARTS 1: whole.
# DIR: exact tables of the ending and of all that it leads to. TASKS programs are started at once, of one thread each, within the bound on
# memory that 'subdef reformat --memory' tells. Seconds are those until the last one ends, CPU seconds those of all; memory is that of the
# one that takes most. Files go to a temporary folder. It is measured by:
#   subdef gen KRPvKR -o DIR && sh papers/parts/rows.sh DIR KRPvKR trees 16 2 >> papers/parts/parts.csv
set -eu
tables=${1:?a folder of exact tables} ending=${2:?an ending} codec=${3:?a codec} parts=${4:?a number of parts} tasks=${5:?a number of tasks}
metric=${6-wdl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMP_NUM_THREADS=1
set -- subdef reformat "$ending" -m "$metric" --codec "$codec" --tables "$tables" -o "$work" -q
[ "$parts" = 1 ] || set -- "$@" --parts "$parts"
may=$("$@" --memory 1 2>&1 | sed -n 's/.*takes some \([0-9,]*\) bytes of.*/\1/p' | tr -d ,)
took=$(python3 -c 'import resource, subprocess, sys, time
start = time.monotonic ()
tasks = [subprocess.Popen (sys.argv[2:]) for task in range (int (sys.argv[1]))]
assert all ([task.wait () == 0 for task in tasks])
r = resource.getrusage (resource.RUSAGE_CHILDREN)
print ("%.0f,%.0f,%d" % (time.monotonic () - start, r.ru_utime + r.ru_stime, r.ru_maxrss * 1024))' "$tasks" "$@" --memory "$may")
file=$work/$ending.$metric.sdt
slots=$(subdef info --json "$file" --tables "$work" | python3 -c 'import json, sys; print (max (s["slots"] for s in json.load (sys.stdin)[0]["sides"]))')
echo "$ending,$metric,$codec,$parts,$tasks,$slots,$(wc -c <"$file" | tr -d " "),$took"

#!/bin/sh
# Measures generation beside Syzygy's generator: CPU seconds of both, in turns, as lines of CSV on standard output.
usage () {
  cat <<END
usage: beside.sh -g DIR -s DIR -p DIR [-n TURNS] NAME=SUBDEF[,NAME=SUBDEF...] ENDING...
  -g  the generator's programs rtbgen and rtbgenp (github.com/syzygy1/tb, built by its own Makefile)
  -s  public .rtbw files, which it needs for endings with promotions and captures
  -p  tables in which subdef finds sub-endings
  -n  turns (default 7)
The generator runs as 'rtbgenp -g -t 1 ENDING', which solves and writes nothing, subdef as 'subdef bench gen ENDING'.
END
}
generator= syzygy= tables= turns=7
while getopts g:s:p:n:h option; do
  case $option in
    g) generator=$OPTARG ;;
    s) syzygy=$OPTARG ;;
    p) tables=$OPTARG ;;
    n) turns=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ -n "$generator" ] && [ -n "$syzygy" ] && [ -n "$tables" ] && [ $# -ge 2 ] || { usage >&2; exit 2; }
programs=$(printf %s "$1" | tr ',' ' ')
shift
OMP_NUM_THREADS=1 RTBPATH=$syzygy
export OMP_NUM_THREADS RTBPATH

# CPU seconds of a command: user and system, of what a shell has run.
cpu () {
  ("$@" >/dev/null 2>&1 || exit; times) | awk 'NR == 2 { gsub (/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }'
}

echo 'ending,turn,program,cpu_seconds'
for ending; do
  case $ending in *P*) theirs=rtbgenp ;; *) theirs=rtbgen ;; esac
  for turn in $(seq "$turns"); do
    echo "$ending,$turn,syzygy,$(cpu "$generator/$theirs" -g -t 1 "$ending")"
    for p in $programs; do
      cpu=$("${p#*=}" bench gen "$ending" --tables "$tables" --json | sed -n 's/.*"cpu_seconds": *\([0-9.]*\).*/\1/p')
      echo "$ending,$turn,${p%%=*},$cpu"
    done
  done
done

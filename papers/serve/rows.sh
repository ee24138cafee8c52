#!/bin/sh
# How many answers subdef serve gives for each second of CPU time, on standard output: rows.sh DIR ENDING ... > serve.csv
# DIR: exact tables of the endings and of all that they lead to, and no others. They become WDL files by each of CODECS (repair obdd), and wrk
# (https://github.com/wg/wrk, in Debian's package of that name) asks a server with one thread for random positions of it, over 8 connections
# of the loopback interface that stay open, for SECONDS (5) and three times. Columns: answers, those that are no value, and seconds by wrk's
# clock; user and system time of the server as /metrics tells it. Positions are drawn by awk (seed 1), and those that are none left out.
# It is measured by:
#   subdef gen KRvKP KQvKR -o DIR && sh papers/serve/rows.sh DIR KRvKP KQvKR > papers/serve/serve.csv
set -eu
tables=${1:?a folder of exact tables}
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
command -v wrk >/dev/null || { echo "rows.sh: there is no wrk here" >&2; exit 1; }
export FENS="$work/fens" PATH_OF
cpu () { curl -s "$url"metrics | awk '$1 == "process_cpu_seconds_total" { print $2 }'; }

echo ending,codec,path,connections,turn,answers,others,seconds,cpu_s
for ending; do
  awk -v ending="$ending" 'BEGIN {
    srand(1)
    n = split(ending, men, "")
    for (k = 0; k < 3000; k++) {
      split("", at)
      for (i = 1; i <= n; i++)
        if (men[i] == "v") black = 1
        else {
          man = black ? tolower(men[i]) : men[i]
          do square = int(64 * rand()); while (square in at || man ~ /[Pp]/ && (square < 8 || square > 55))
          at[square] = man
        }
      black = 0
      fen = ""
      for (square = 0; square < 64; square++)
        fen = fen (square && square % 8 == 0 ? "/" : "") (square in at ? at[square] : 1)
      print fen, rand() < .5 ? "w" : "b", "- - 0 1"
    }
  }' >"$work/drawn"
  for codec in ${CODECS-repair obdd}; do
    rm -rf "$work/tables"
    # All that are there, since probes look up what captures and promotions lead to.
    (cd "$tables" && ls *.dtm.sdt) | sed 's/\..*//' | xargs subdef reformat --metric wdl --codec "$codec" --tables "$tables" -o "$work/tables" -q
    subdef probe --metric wdl --tables "$work/tables" - <"$work/drawn" 2>"$work/err" | awk '$1 != "?" { sub(/^[^\t]*\t/, ""); gsub(/ /, "_"); print }' >"$FENS"
    [ "$(wc -l <"$FENS")" -gt 1000 ] || { cat "$work/err" >&2; exit 1; }
    rm -f "$work/url"
    subdef serve --tables "$work/tables" --port 0 --threads 1 >"$work/url" 2>"$work/err" &
    server=$!
    until [ -s "$work/url" ]; do kill -0 "$server"; sleep 0.1; done
    url=$(cat "$work/url")
    for turn in 1 2 3; do
      for PATH_OF in /wdl /standard; do
        before=$(cpu)
        wrk -t 1 -c 8 -d "${SECONDS_OF-5}" -s "$here/positions.lua" "$url" >"$work/wrk"
        after=$(cpu)
        awk -v row="$ending,$codec,$PATH_OF,8,$turn" -v cpu="$(echo "$after $before" | awk '{ print $1 - $2 }')" '
          / requests in / { n = $1; s = $4; sub(/s,/, "", s) }
          /Non-2xx/ { others = $NF }
          /Socket errors/ { print "rows.sh: " $0 >"/dev/stderr"; exit 1 }
          END { printf "%s,%d,%d,%.2f,%.3f\n", row, n, others, s, cpu }' "$work/wrk"
      done
    done
    kill "$server"
    wait "$server" || true
    server=
  done
done

#!/bin/sh
# The tables of a report for LaTeX: tables.tex is compiled as it is, with short tables and one that is longer than a page; one table alone
# is compiled in a text of somebody else's, with the packages that its first lines name. Nothing is wider than a line or scaled; numbers
# are alone in their cells. Without LaTeX or its packages: exit 77.
set -u
subdef=$SD_BUILDDIR/tools/subdef
command -v pdflatex >/dev/null || { echo "no LaTeX here"; exit 77; }
work=$(mktemp -d "$SD_BUILDDIR/latex-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
compile () { timeout 300 pdflatex -interaction=nonstopmode -halt-on-error "$1.tex" >"$1.txt" 2>&1; }

cat >empty.tex <<'TEX'
\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs,array,longtable}\begin{document}x\end{document}
TEX
compile empty || { echo "packages of LaTeX are missing here"; exit 77; }

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvK -q -o . >gen.txt 2>&1 || { cat gen.txt; exit 1; }
cat >sweep.conf <<'SWEEP'
title = "50 % & more: a_title # of {all}"; seed = 1;
groups = ( { name = "1-lzma"; tables = "KRvK"; metric = ["wdl", "dtm"]; subdefinite = "off"; latency = true; codec = { name = "lzma"; block = 16384; }; },
           { name = "2-zlib"; tables = "KRvK"; metric = "wdl"; codec = { name = "zlib"; level = [1, 2, 3, 4, 5, 6, 7, 8, 9]; block = [1024, 2048, 4096, 8192, 16384]; }; },
           { name = "3-orders"; tables = "KRvK"; metric = ["wdl", "dtm"]; order = "all"; subdefinite = ["on", "off"]; latency = true; codec = { name = "repair"; block = 128; }; } );
SWEEP
"$subdef" sweep sweep.conf --tables . -o rows.db >sweep.txt 2>&1 || { cat sweep.txt; exit 1; }
cat >published.csv <<'CSV'
step,before,after,measure,published,source
"a step of which much is said, so that its words go over several lines",*/lzma,*/repair,bytes,"two thirds less, as they say",Nobody 1900
CSV
"$subdef" report rows.db --published published.csv -o . -q 2>report.txt || { cat report.txt; exit 1; }
failed=0
fail () { failed=1; echo "FAILED $*"; }

compile tables || { fail "tables.tex:"; tail -20 tables.txt; exit 1; }
! grep '^Overfull' tables.txt || fail "a table is wider than a line"
! grep 'undefined\|multiply' tables.txt || fail "a label"
for word in '\\toprule' '\\midrule' '\\bottomrule' '\\caption{Sizes: KRvK WDL' '\\begin{longtable}' '\\begin{tabular}' '\\endhead'; do
  grep -q "$word" tables/*.tex || fail "no $word"
done
! grep -l '\\hline\|resizebox\|scalebox' tables/*.tex || fail "a line that booktabs has not, or a scaled table"
for f in tables/*.tex; do
  [ "$(grep -c '\\caption{.*}\\label{tab:' "$f")" -eq 1 ] || fail "$f has not one caption and label"
  grep -q "input{${f%.tex}}" tables.tex || fail "$f is not in tables.tex"
done
# a number with words behind it is none that can be compared with those above it
! grep -nE '& [0-9.,]+ ?(\\%|x|ns|us|ms) (&|[a-z(])' tables/*.tex || fail "words in cells of numbers"

packages=$(sed -n '1,2s/.*\(\\usepackage{.*}\).*/\1/p' tables/sizes-KRvK-WDL.tex)
cat >own.tex <<TEX
\\documentclass{article}$packages\\begin{document}Table~\\ref{tab:sizes-KRvK-WDL}.\\input{tables/sizes-KRvK-WDL}\\end{document}
TEX
compile own || { fail "a table alone:"; tail -20 own.txt; }
exit $failed

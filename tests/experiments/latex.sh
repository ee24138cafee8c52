#!/bin/sh
# tables.tex of a report is compiled: short tables, and one that is longer than a page. Without LaTeX or its packages: exit 77.
set -u
subdef=$SD_BUILDDIR/tools/subdef
command -v pdflatex >/dev/null || { echo "no LaTeX here"; exit 77; }
work=$(mktemp -d "$SD_BUILDDIR/latex-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
compile () { timeout 120 pdflatex -interaction=nonstopmode -halt-on-error "$1.tex" >"$1.txt" 2>&1; }

cat >empty.tex <<'TEX'
\documentclass{article}\usepackage{booktabs,longtable,graphicx}\begin{document}x\end{document}
TEX
compile empty || { echo "packages of LaTeX are missing here"; exit 77; }

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 \
  "$SD_BUILDDIR/tools/subdef-gen" KRvK -q -o . >gen.txt 2>&1 || { cat gen.txt; exit 1; }
cat >sweep.conf <<'SWEEP'
title = "50 % & more: a_title # of {all}"; seed = 1;
groups = ( { name = "1-lzma"; tables = "KRvK"; metric = ["wdl", "dtm"]; subdefinite = "off"; codec = { name = "lzma"; block = 16384; }; },
           { name = "2-zstd"; tables = "KRvK"; metric = "wdl"; codec = { name = "zlib"; level = [1, 2, 3, 4, 5, 6, 7, 8, 9]; block = [1024, 2048, 4096, 8192, 16384]; }; } );
SWEEP
"$subdef" sweep sweep.conf --tables . -o rows.db >sweep.txt 2>&1 || { cat sweep.txt; exit 1; }
"$subdef" report rows.db -o . -q 2>report.txt || { cat report.txt; exit 1; }
cat >all.tex <<'TEX'
\documentclass{article}\usepackage{booktabs,longtable,graphicx}\begin{document}\input{tables}\end{document}
TEX
compile all || { echo "FAILED tables.tex:"; tail -20 all.txt; exit 1; }
failed=0
for word in '\\toprule' '\\midrule' '\\bottomrule' '\\caption{Sizes: KRvK WDL' '\\begin{longtable}' '\\begin{tabular}' '\\endhead'; do
  grep -q "$word" tables.tex || { failed=1; echo "FAILED no $word"; }
done
grep -q '\\hline' tables.tex && { failed=1; echo "FAILED a line that booktabs has not"; }
[ "$(grep -c '\\caption{' tables.tex)" -eq "$(grep -cE '\\begin\{(longtable|tabular)\}' tables.tex)" ] || { failed=1; echo "FAILED a table without a caption"; }
exit $failed

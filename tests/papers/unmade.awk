# Figures on the pages of papers/ that no script makes: awk -f unmade.awk published.csv PAGE.md ... A figure is a number that looks like a
# measurement: a share or a ratio, a time, bytes, a fraction, a number with groups of digits. Not meant are what scripts print (between
# `<!-- made: ... -->` and `<!-- end -->`), code, commands, names and numbers of sections, what a document prints (published.csv holds
# it), and what is given, not measured: `<!-- given: 462 1,806 -->` on the page.
FILENAME ~ /published\.csv$/ { # source,table,row,column,value,unit,...: quotes hold commas
  while (match($0, /"[^"]*"/))
    $0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
  split($0, field, ",")
  value = field[5]
  while (match(value, /[0-9][0-9.]*[0-9]|[0-9]/)) {
    published[substr(value, RSTART, RLENGTH) " " field[6]]
    value = substr(value, RSTART + RLENGTH)
  }
  next
}
FNR == 1 { made = 0; split("", given) }
/^<!-- given: / {
  for (i = 3; i < NF; i++)
    given[$i]
  next
}
/^<!-- made: / { made = 1 }
/^<!-- end -->/ { made = 0; next }
made || /^    / { next }
{
  text = $0
  gsub(/`[^`]*`/, "", text)
  gsub(/\]\([^)]*\)/, "]", text)
  gsub(/<!--.*-->/, "", text)
  gsub(/(Sec\.|Secs\.|al\.|[12][09][0-9][0-9],?|[(,;]) [(]?[0-9]+\.[0-9]+(\.[0-9]+)?/, "", text) # sections of a document
  gsub(/[(][0-9]+\.[0-9]+(\.[0-9]+)?[);,]/, "", text)
  gsub(/[Ii]tems? [0-9]+/, "", text)
  while (match(text, /[0-9][0-9]?[0-9]?(,[0-9][0-9][0-9])+|[0-9]+(\.[0-9]+)? ?(%|times|ns|us|ms|seconds|s|CPU|hours|minutes|million|GB)([^A-Za-z]|$)|[0-9]+\.[0-9]+/)) {
    figure = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    sub(/[^A-Za-z0-9%]*$/, "", figure)
    match(figure, /[0-9][0-9,.]*[0-9]|[0-9]/)
    n = substr(figure, RSTART, RLENGTH)
    unit = substr(figure, RSTART + RLENGTH)
    gsub(/ /, "", unit)
    if (!((n " " unit) in published) && !(n in given)) {
      print FILENAME ":" FNR ": " n " is made by no script: " $0
      bad = 1
    }
  }
}
END { exit bad }

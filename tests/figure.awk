# Faults that a reader would see in a figure by gnuplot: awk -f figure.awk FILE.svg... Nothing is printed for a good one.
#   a name that reaches over the edge of the paper, two names that overlap; a kind of mark of a legend (-v legend=1: no kind of mark
#   stands alone) without marks in the figure; no dark paper for a reader's dark mode.
# A letter is as wide as those of a narrow font: what overlaps then overlaps everywhere.
function check(   i, k, key) {
  if (!seen)
    return
  if (!dark)
    print file ": no dark paper"
  for (i = 1; i <= n; i++) {
    if (left[i] < -1 || right[i] > width + 1 || top[i] < -1 || bottom[i] > height + 1)
      print file ": \"" text[i] "\" reaches over the edge"
    for (k = i + 1; k <= n; k++)
      if (left[i] < right[k] - 1 && left[k] < right[i] - 1 && top[i] < bottom[k] - 1 && top[k] < bottom[i] - 1)
        print file ": \"" text[i] "\" and \"" text[k] "\" overlap"
  }
  for (key in marks)
    if (legend && marks[key] == 1)
      print file ": one mark alone: " key
}
FNR == 1 {
  check()
  file = FILENAME
  seen = dark = n = 0
  split("", marks)
}
/viewBox=/ {
  split($0, part, /[" ]+/)
  width = part[5] + 0
  height = part[6] + 0
  seen = 1
}
/prefers-color-scheme:dark/ { dark = 1 }
/<use xlink:href='#gpPt/ && match($0, /color='[^']*'/) {
  key = substr($0, RSTART, RLENGTH)
  match($0, /#gpPt[0-9]*/)
  marks[substr($0, RSTART, RLENGTH) " " key]++
}
/<g transform="translate\(.*font-size=/ {
  upright = /rotate/ ? 1 : 0
  match($0, /translate\([^)]*/)
  split(substr($0, RSTART + 10, RLENGTH - 10), part, ",")
  x = part[1] + 0
  y = part[2] + 0
  match($0, /font-size="[0-9.]*/)
  size = substr($0, RSTART + 11, RLENGTH - 11) + 0
  anchor = /anchor="end"/ ? 1 : /anchor="middle"/ ? 0.5 : 0
}
/<text>/ && !upright && size {
  line = $0
  gsub(/^.*<text>|<\/text>.*$|<[^>]*>/, "", line)
  gsub(/&[a-z]*;/, "x", line)
  if (line ~ /^ *$/)
    next
  n++
  text[n] = line
  left[n] = x - anchor * 0.48 * size * length(line)
  right[n] = left[n] + 0.48 * size * length(line)
  top[n] = y - 0.75 * size
  bottom[n] = y + 0.2 * size
}
END { check() }

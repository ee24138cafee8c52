# CSV files by the names in their first line: awk -f papers/columns.awk -f SCRIPT.awk FILE... A script asks col("bytes"), wherever that
# column stands; `file` counts the files. The line of names goes no further. Lines of JSON are left to the script.
function columns_split(line, out,   c, i, quoted, text) { # fields of RFC 4180, without line breaks in them
  if (line !~ /"/)
    return split(line, out, ",")
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") {
      text = text c
      i++
    } else if (c == "\"")
      quoted = !quoted
    else
      text = text (c == "," && !quoted ? "\037" : c)
  }
  return split(text, out, "\037") # which also knows numbers, as FS does
}

function col(name) {
  if (!(name in column)) {
    print FILENAME ": no column is called \"" name "\"" >"/dev/stderr"
    exit wrong_column = 1
  }
  return field[column[name]]
}

# The value of a key in the column `settings`: key=value,key=value.
function setting(key,   n, i, pair) {
  n = split(col("settings"), pair, ",")
  for (i = 1; i <= n; i++)
    if (index(pair[i], key "=") == 1)
      return substr(pair[i], length(key) + 2)
  return ""
}

# 1234567 -> 1,234,567
function grouped(n,   s) {
  n = sprintf("%.0f", n)
  while (length(n) > 3) {
    s = "," substr(n, length(n) - 2) s
    n = substr(n, 1, length(n) - 3)
  }
  return n s
}

FNR == 1 { file++ }
FNR == 1 && !/^[{]/ {
  split("", column)
  for (i = columns_split($0, field); i > 0; i--)
    column[field[i]] = i
  next
}
!/^[{]/ { columns_split($0, field) }
END { if (wrong_column) exit 1 }

# Names of types that are defined twice. Input: all .c and .h files of the project; says each name that has two definitions in places
# that may meet, and exits with 1.
#
# A tag of struct, union or enum counts where its braces open, a typedef where it gives a name to something that is not that same tag
# (`typedef struct x x;` says nothing new). Two definitions may meet unless both stand in .c files, which nobody includes, and have no
# prefix that says that they belong to the whole project.
function define (space, name,   key) {
  key = space " " name
  if (!(key in where)) {
    where[key] = FILENAME ":" FNR; file[key] = FILENAME
    return
  }
  if (file[key] == FILENAME) # a file's own alternatives, of which #if takes one
    return
  if (file[key] ~ /\.c$/ && FILENAME ~ /\.c$/ && name !~ /^sd_/)
    return
  printf "%s: %s is defined in %s, too\n", FILENAME ":" FNR, key, where[key]
  bad = 1
}

FNR == 1 { comment = 0; depth = 0; pending = "" }
{
  line = $0
  if (comment) {
    if (!(at = index (line, "*/"))) next
    line = substr (line, at + 2); comment = 0
  }
  gsub (/"([^"\\]|\\.)*"/, "\"\"", line)
  gsub (/\/\*([^*]|\*[^\/])*\*+\//, "", line)
  sub (/\/\/.*/, "", line)
  if (at = index (line, "/*")) { line = substr (line, 1, at - 1); comment = 1 }

  rest = line # tags, wherever they stand
  while (match (rest, /(struct|union|enum)[ \t]+[A-Za-z_][A-Za-z_0-9]*[ \t]*\{/)) {
    text = substr (rest, RSTART, RLENGTH)
    rest = substr (rest, RSTART + RLENGTH)
    split (text, word, /[ \t{]+/)
    define ("struct, union or enum", word[2])
  }
  if (match (line, /^[ \t]*(typedef[ \t]+)?(struct|union|enum)[ \t]+[A-Za-z_][A-Za-z_0-9]*[ \t]*$/)) { # the brace on the next line
    split (substr (line, RSTART, RLENGTH), word, /[ \t]+/)
    opened = word[1] == "typedef" ? word[3] : word[2]
  } else {
    if (opened != "" && line ~ /^[ \t]*\{/)
      define ("struct, union or enum", opened)
    opened = ""
  }

  if (line ~ /^[ \t]*typedef[ \t]/) { # a typedef, to the semicolon outside of braces
    pending = ""; in_typedef = 1
  }
  if (in_typedef) {
    pending = pending " " line
    flat = pending
    while (gsub (/\{[^{}]*\}/, "@", flat));
    if (flat !~ /\{/ && flat ~ /;/) {
      in_typedef = 0
      sub (/;.*/, "", flat)
      if (match (flat, /\(\*[ \t]*[A-Za-z_][A-Za-z_0-9]*\)/)) { # of a function
        name = substr (flat, RSTART + 2, RLENGTH - 3); sub (/^[ \t]+/, "", name)
      } else if (match (flat, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\([^()]*\)[ \t]*$/)) { # of a function itself
        name = substr (flat, RSTART); sub (/[ \t]*\(.*/, "", name)
      } else {
        sub (/(\[[^]]*\])*[ \t]*(__attribute__.*)?$/, "", flat)
        match (flat, /[A-Za-z_][A-Za-z_0-9]*$/)
        name = substr (flat, RSTART, RLENGTH)
      }
      same = flat ~ ("(struct|union|enum)[ \t]+" name "[ \t@]+" name "$")
      if (!same || flat ~ /@/)
        define ("typedef", name)
    }
  }
}
END {
  n = 0
  for (key in where) n++
  if (n < least) { printf "only %d types were found, at least %d were expected\n", n, least; bad = 1 }
  exit bad
}

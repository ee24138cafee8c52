# A help text as a row of C, its quotes marked already: the first line is the summary; then the first paragraph, a
# vertical tab, the rest. A line goes on with the next one, unless one of the two is empty or begins with a blank or
# an @.
NR == 1 { printf "SD_HELP (\"%s\", \"%s\",\n", name, $0 }
NR > 2 && !$0 && !told { told = NR; print "\"\\v\""; next }
NR > 2 {
  apart = $0 !~ /^[^ @]/ || before !~ /^[^ @]/
  printf "\"%s%s\"\n", NR == 3 || told == NR - 1 ? "" : apart ? "\\n" : " ", $0
  before = $0
}
END { print ")" }

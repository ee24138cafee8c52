# Cuts a tutorial into files: awk -v dir=DIR -f tutorial.awk PAGE.md. Block N of the language sh becomes DIR/N.sh, and the block of the
# language text that follows it DIR/N.text, what its commands print.
/^```/ && !inside {
  inside = 1
  language = substr($0, 4)
  file = ""
  if (language == "sh") {
    file = dir "/" sprintf("%02d", ++n) ".sh"
    print "# " FILENAME ":" FNR >file
  } else if (language == "text" && n)
    file = dir "/" sprintf("%02d", n) ".text"
  next
}
/^```$/ { inside = 0; if (file != "") close(file); file = ""; next }
file != "" { print >file }

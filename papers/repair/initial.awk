# The rows of initial.conf: awk -f ../columns.awk -f initial.awk report/cells.csv prints initial.csv.
BEGIN { print "table,metric,side,initial,bytes" }
{ print col("table") "," col("metric") "," col("side") "," setting("initial") "," col("bytes") | "LC_ALL=C sort" }

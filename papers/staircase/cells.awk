# The rows of staircase.csv from report/cells.csv, those of the piece orders left out: awk -f ../columns.awk -f cells.awk report/cells.csv
BEGIN { print "group,table,metric,side,bytes" }
col("group") != "orders" { print col("group") "," col("table") "," col("metric") "," col("side") "," col("bytes") | "LC_ALL=C sort" }

# The rows of orders.csv from report/cells.csv: awk -f ../columns.awk -f orders.awk report/cells.csv
BEGIN { print "table,metric,side,order,bytes" }
col("group") ~ /^orders/ { print col("table") "," col("metric") "," col("side") "," col("order") "," col("bytes") | "LC_ALL=C sort" }

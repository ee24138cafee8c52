-- text: Do both sides to move like the same orders? Spearman's rank correlation of their sizes:
-- column: title | table | page
-- column: free | freedom | page
-- column: orders | | count page
-- column: agreement | rank correlation, White and Black to move | right page

SELECT l.title, l.free, count (b.bytes) AS orders, printf ('%+.2f', ifnull (rank_correlation (w.bytes, b.bytes), 0)) AS agreement
FROM line l JOIN row w ON w.line = l.line AND NOT w.black LEFT JOIN row b ON b.line = l.line AND b.black AND b."order" = w."order" AND b.numbering = w.numbering
WHERE l.orders > 1 AND l.has_black AND l.has_white GROUP BY l.line ORDER BY l.line

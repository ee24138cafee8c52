-- How much all endings take by the estimate, by numbers of men, of what subdef gen --men 7 --estimate --json prints (:lines, a file): lines of
-- operations.csv. Lines of several numbers of ranks may stand behind each other. `largest` is the ending with most states; memory is that of all ranks
-- that solve it.
SELECT 'men,endings,states,marks,cpu_s,table_bytes,largest,largest_states,largest_memory_bytes,ranks,messages,message_bytes';
WITH e AS (SELECT value ->> 'ending' AS ending, value ->> 'states' AS states, value ->> 'marks' AS marks, value ->> 'cpu_seconds' AS seconds,
    value ->> 'table_bytes' AS bytes, value ->> 'memory_bytes' AS memory,
    value ->> 'ranks' AS ranks, value ->> 'messages' AS messages, value ->> 'message_bytes' AS message_bytes
  FROM json_each (ifnull ('[' || replace (trim (CAST (readfile (:lines) AS TEXT), char (10)), char (10), ',') || ']', :lines)))
SELECT printf ('%d,%d,%d,%d,%.4g,%d,%s,%d,%d,%d,%d,%d', length (ending) - 1, count (*), sum (states), sum (marks), sum (seconds), sum (bytes), ending,
  max (states), memory, ranks, sum (messages), sum (message_bytes)) -- the ending and its memory are those of the most states
FROM e GROUP BY ranks, length (ending) ORDER BY ranks, length (ending);

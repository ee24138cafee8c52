-- Coding White's side by one thread and by two: CPU seconds of all and of the first thread, and how many times as fast two can be.
SELECT '| ending | codec | slots | CPU, one thread | CPU, two threads | of the first | times as fast at most | seconds, one thread | two threads | times as fast |';
SELECT '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %s | %,d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |', one.ending, one.codec, one.slots, one.cpu_s, two.cpu_s, two.first_thread_cpu_s,
               1.0 * one.cpu_s / two.first_thread_cpu_s, one.seconds, two.seconds, 1.0 * one.seconds / two.seconds)
  FROM "threads/threads" one JOIN "threads/threads" two USING (ending, codec)
  WHERE one.threads = '1' AND two.threads = '2' AND one.bytes = two.bytes ORDER BY one.slots + 0 DESC, one.ending, one.cpu_s + 0;

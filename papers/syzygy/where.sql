-- Where the bytes of three streams are.
SELECT '| stream | bytes | dictionary | symbols, without a code | lengths of blocks | ends of blocks | payload | entropy of its symbols |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d, %d | %d | %d | %,d | %,d |', stream, bytes, dictionary, symbols, without_code, lengths, ends, payload, entropy) FROM "syzygy/where";

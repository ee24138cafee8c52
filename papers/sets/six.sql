-- Exact tables with 6 men.
SELECT '| ending | slots | won | drawn | lost | longest mate, moves | CPU-s, with all below | bytes |';
SELECT '|---|---:|---:|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %d | %d | %,d |', ending, slots, won, drawn, lost, mate_moves, cpu_s, bytes) FROM "sets/six";

-- KNNvKP under the 50-move rule, as published.
SELECT '| to move | won | cursed win | drawn | blessed loss | lost |';
SELECT '|---|---:|---:|---:|---:|---:|';
SELECT printf ('| %s | %,d | %,d | %,d | %,d | %,d |', iif (side_to_move = 'w', 'White', 'Black'), wins, cursed_wins, draws, blessed_losses, losses) FROM "data/wdl-counts-5" WHERE material = 'KNNvKP';

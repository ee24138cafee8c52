-- name: pairs
-- when: (SELECT any_baseline FROM fact)
-- column: metric | | file
-- column: coding | | file
-- column: sides | | file
-- column: freedom | | file
-- column: codec | | file
-- column: settings | | file
-- column: table | | file
-- column: bytes | | count file
-- column: baseline_bytes | | count file
-- column: bytes_ratio | | ratio file
-- column: same_order_bytes | | count file
-- column: same_order_ratio | | ratio file
-- column: get_ns | | ns file
-- column: baseline_get_ns | | ns file
-- column: get_ratio | | ratio file

SELECT *, plain_bytes AS baseline_bytes, plain_ns AS baseline_get_ns FROM pair ORDER BY choice, subject

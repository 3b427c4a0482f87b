-- The log as `candump -l` writes it, by DuckDB: duckdb -noheader -list <candump.sql >log.txt
SELECT format('({}.{:06d}) can{} {}#{}', epoch_us(time) // 1000000, epoch_us(time) % 1000000, bus,
              CASE WHEN flags % 2 = 1 THEN format('{:08X}', id) ELSE format('{:03X}', id) END,
              substr(hex(data), 1, 2 * length))
FROM read_parquet('CAN00001.parquet');

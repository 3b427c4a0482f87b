"""A page of all figures, from those that tests/figures printed last: tests/figures.md, which Git ignores.

Usage: figures_page.py >tests/figures.md, from the project's folder.
"""
import pathlib
import sys

HEAD = """# Figures

Measured by `tests/figures` and kept in [figures.txt](figures.txt), of which `tests/readme/figures_page.py` makes this page. The
workload `imu8` is a time, a sequence number, four floats and two status numbers, 36 bytes a row. Cores: GCC 12, -Os, no LTO, emulated by
QEMU, which counts instructions, not cycles (M0+ by a Cortex-M0, M23 by a Cortex-M33). Desktop: one thread, 1 M rows in one row group
on a RAM disk, time of the processor, each peer by its fastest interface, in turns within one run on a shared virtual machine.
"""

SECTIONS = [
    ("Memory of a writer", [
        ("ram.imu8_256", "8 columns, pages of 256 bytes: library, buffers and all"),
        ("ram.imu8_512", "the same with pages of 512 bytes, whole sectors"),
        ("ram.imu8_512_align32", "the same on the lines of a cache, `Options::transfer_align` 32"),
        ("ram.peak_after_10_row_groups", "a schema made at run time, as touched after 10 row groups"),
        ("ram.peak_after_1000_row_groups", "after 1,000"),
        ("ram.peak_after_30000_row_groups", "after 30,000: constant"),
    ]),
    ("A Cortex-M4F", [
        ("m4f.writer_plain.flash", "open, append, close, without checkpoints; the C library it needs included"),
        ("m4f.writer_plain_small_crc.flash", "the same with the checksum `crc32_small`"),
        ("m4f.writer_checkpoint.flash", "with checkpoints: the default layout, and tick"),
        ("m4f.writer_checkpoint_small_crc.flash", "the same with `crc32_small`"),
        ("m4f.writer_resume.flash", "with resume as well"),
        ("m4f.writer_resume_small_crc.flash", "the same with `crc32_small`"),
        ("m4f.reader_plain.flash", "the reader: open, next, close"),
        ("m4f.writer.stack", "worst case over all public calls, from the call graph"),
        ("m4f.reader.stack", "the same of the reader"),
        ("m4f.struct.flash_over_flat", "more with two floats in a struct than with two flat ones"),
        ("m4f.struct.instructions_over_flat", "to append such a row"),
        ("m4f.array.flash", "more with an array of 32 floats than with the time alone"),
        ("m4f.array32_512.instructions", "to append a time and an array of 32 floats, for each of the 33 values; pages of 512 bytes"),
        ("m4f.array32_1024.instructions", "pages of 1,024 bytes"),
        ("m4f.array32_2048.instructions", "pages of 2,048 bytes"),
        ("ram.array_leaf", "more with that array, beside its page"),
        ("m4f.nested_writer.stack", "of a writer of such rows"),
        ("nested.array32_1024.fill", "of a full page of 1,024 bytes that are values, of such an array"),
        ("nested.values", "of files with structs and arrays, that pyarrow, DuckDB, Polars and `mpq recover` have been asked for"),
        ("nested.wrong_values", "of them"),
        ("m4f.retained.flash", "more with a RetainedQueue than with a RowQueue before a writer that resumes"),
        ("m4f.retained_push.instructions", "RetainedQueue::push of a row of 16 bytes"),
        ("m4f.clock_anchor.flash", "ClockAnchors, over a writer that resumes and has a key-value"),
        ("m4f.health.flash", "LogHealth, over the same"),
        ("m4f.imu8_plain.instructions", "to append a row, everything included: 100,000 rows, pages of 512 bytes"),
        ("m4f.imu8_plain_small_crc.instructions", "the same with `crc32_small`"),
    ]),
    ("RAM that survives", [
        ("retained.resets", "of programs on a simulated card, at any instruction"),
        ("retained.rows", "in the files of all of them"),
        ("retained.files", "each a closed or interrupted one"),
        ("retained.lost", "taken by the queue, and in no file"),
        ("retained.twice", "in the files more than once"),
        ("retained.wrong", "with other values, refused by the queue, or out of order"),
    ]),
    ("A Cortex-M4F without this library", [
        ("m4f.imu8_csv.instructions", "a line of CSV by `snprintf` of newlib-nano, with `_printf_float`"),
        ("m4f.imu8_csv.flash", "of that"),
        ("m4f.imu8_csv.bytes_per_row", "in the file"),
        ("m4f.imu8_raw.instructions", "the bytes of the struct, through a buffer of a sector"),
        ("m4f.imu8_raw.flash", "of that"),
        ("m4f.imu8_raw.bytes_per_row", "in the file; nobody but the firmware's author can read it"),
    ]),
    ("Space in a file", [
        ("overhead.imu8_10min", "of a closed file that is dead, after ten minutes at 100 Hz: footers, gaps, records, padding"),
        ("overhead.imu8_1h", "after an hour"),
        ("overhead.imu8_24h", "after a day"),
        ("overhead.imu8_1h_cut", "of a file cut off after an hour, what it had reserved included"),
        ("overhead.imu8_1hz_24h", "of a closed file at 1 Hz, after a day"),
        ("overhead.imu8_1h_loss_bound", "what a power cut after an hour can cost by default"),
        ("overhead.imu8_24h_loss_bound", "and after a day"),
    ]),
    ("Wear of a card, by models", [
        ("card.in_place.mean", "bytes programmed in the flash for each byte of values, an hour at 100 Hz; the mean of three models; the default"),
        ("card.in_place.plain_driver", "the same where a driver sends a command for each call"),
        ("card.in_place_4k.mean", "pages of 4 KiB"),
        ("card.in_place_small.mean", "`kAuto` under LZ4_RAW, pages of 1 KiB"),
        ("card.forward_28k.mean", "`kForward`, a pool of 28 KiB"),
        ("card.imu8_6k.mean", "the forward layout in 6 KiB of RAM, files of ten minutes"),
        ("card.imu8_6k.plain_driver", "where a driver sends a command for each call"),
        ("card.imu8_8k.mean", "in 8 KiB"),
        ("card.imu8_16k.mean", "in 16 KiB"),
        ("card.imu8_16k.plain_driver", "where a driver sends a command for each call"),
        ("card.imu8_32k.mean", "in 32 KiB, of which it takes 18"),
        ("card.imu8_32k.plain_driver", "where a driver sends a command for each call"),
        ("card.logger_14k.mean", "the Arduino port's `Logger`, by default"),
        ("card.imu8_16k.years_cheap", "of a cheap card of 8 GB, at 100 Hz without a pause"),
        ("card.longest_roll", "a row, a tick and a step of the retention on a full common card, rolls included; in place, at 100 Hz"),
        ("card.csv_1s.mean", "CSV, `f_sync()` each second"),
        ("card.csv_1s.plain_driver", "where a driver sends a command for each call"),
        ("card.struct_60s.mean", "structs of 40 bytes, `f_sync()` each minute"),
        ("card.struct_60s.plain_driver", "where a driver sends a command for each call"),
    ]),
    ("Power cuts", [
        ("durability.cuts", "on a simulated card, in order and out of order, torn, repeated"),
        ("durability.durable_rows_lost", "in all of them"),
        ("align.misaligned_transfers", "to or from memory that is not on words, or with `Options::transfer_align` 32 not on cache lines, in all of them"),
        ("durability.opened_without_repair", "of the files where the size is published at a sync"),
        ("recover.dictionary_rows", "of row groups that are whole, in logs with dictionaries of which a bit of the last footer is wrong or the end "
         "is missing"),
        ("exfat.cuts", "on exFAT, in order and out of order, at all places of an entry set and in folders of every kind"),
        ("exfat.rows_lost", "durable ones, in all of them"),
        ("exfat.dead_folders", "in which the next boot can make no file, or loses one"),
        ("exfat.torn_directory_vs_fat32", "share of tears inside the entry that break a file, of that on FAT32"),
        ("exfat.unsound", "of the tables, as a card that reorders may keep them, in which a log's chain leads elsewhere"),
        ("exfat.clusters_lost_per_cut", "of 4 KiB, which a log had reserved, in a thousand boots"),
        ("exfat.lost_after_fsck", "that neither a reader nor `mpq recover` finds after `fsck.exfat`"),
        ("exfat.bad_volumes", "that were damaged by chance"),
        ("exfat.others_changed", "on which a logger changed another file"),
        ("exfat.recovered_rows", "of 40,000 on an exFAT card where two logs grew side by side, by `mpq recover` and by their names"),
        ("durability.block_4096.durable_rows_lost", "on a medium that erases 4 KiB, with `Options::block_bytes` 4,096"),
    ]),
    ("Ports", [
        ("ports.contract", "of `port/README.md` that the ports hold, all together"),
        ("ports.under_contract", "FRAM, the example of that page, among them"),
    ]),
    ("A device that wakes for a row", [
        ("boots.10000.written_sectors", "with `kInPlaceTailed`, three columns: resume, a row, a checkpoint; the mean of the last thousand of 10,000 boots"),
        ("boots.10000.read_sectors", "the same, read"),
        ("boots.10000.megabytes", "of the file then"),
        ("boots.10000.row_groups", "in it"),
        ("boots.10000.append_only_megabytes", "where it cannot shrink"),
        ("boots8.10000.written_sectors", "eight columns"),
        ("boots_save.10000.written_sectors", "three columns, `save()` each boot, and each 16th a checkpoint"),
        ("save.sectors_over_columns", "most sectors of a `save()` beside one a column"),
        ("save.stream_16k.sectors", "most sectors of a `save()` of a stream, `imu8` with 16 KB"),
        ("boots.140000.rows_lost", "in a hundred days of a wake a minute"),
        ("boot.first_row_reads", "sectors that `sd_logger` reads from power to its first row on a card with 10,000 files, at most"),
        ("card.boots.10000.written", "of the card, through FatFs, FAT32"),
        ("card.boots.10000.read", "of the card, from opening the file"),
        ("card.boots.10000.mounting", "read before it, to mount the volume"),
        ("slow.1hz_3h_1s.megabytes", "three hours without boots at 1 Hz, eight columns, a checkpoint each second"),
        ("slow.01hz_day_each_row.megabytes", "a day at 0.1 Hz, a checkpoint each row"),
    ]),
    ("Long files", [
        ("growth.row_groups_10.ns_per_row", "a row on this machine, 1,000 a row group, in a file of 10 row groups"),
        ("growth.row_groups_10000.ns_per_row", "and of 10,000"),
        ("growth.row_groups_10000.reads", "reads of the file, for its footers"),
        ("growth.row_groups_10000.random_seeks", "to read a row of each of 10,000 row groups, in random order"),
    ]),
    ("FatFs", [
        ("fatfs.flash", "FatFs itself, on a Cortex-M3"),
        ("fatfs.ram", "for a volume and a file"),
        ("fatfs.exfat.flash", "with `FF_FS_EXFAT` 1"),
        ("fatfs.exfat.ram", "for a volume and a file"),
        ("m4f.exfat.flash_added", "more of the port itself on a Cortex-M4F since it mends what cuts leave on exFAT"),
        ("fatfs.imu8.sector_writes_per_sector", "FAT32, footers and syncs included"),
        ("fatfs.imu8.data_sector_reads", "caused by page writes"),
        ("fatfs.imu8.fat_reads_per_mb", "of the allocation table"),
        ("fatfs.imu8.checkpoint_reads_per_mb", "of records and footers"),
        ("fatfs.imu8.entry_writes_per_sync", "of the directory entry"),
        ("fatfs.imu8.write_run.mean", "written in a row; cards are slow at single ones"),
        ("fatfs.imu8.write_run.single_sectors", "of the sectors are written alone"),
        ("fsinfo.logs_ended", "of 128 by what FSINFO says of free clusters, both versions of FatFs"),
    ]),
    ("Desktop", [
        ("host.plain_write.mrows", "page checksums written"),
        ("host.plain_write.vs_arrow_rs", "times as fast as arrow-rs without checksums"),
        ("host.plain_write.vs_arrow_cpp", "times as fast as Arrow C++ without checksums"),
        ("host.plain_write.vs_arrow_cpp_crc", "with checksums on both sides"),
        ("host.delta_write.mrows", "integers as differences; page checksums written"),
        ("host.delta_write.vs_best", "times as fast as the faster peer, without checksums"),
        ("host.dictionary_write.mrows", "the same, two columns as indices into dictionaries"),
        ("host.dictionary_write.vs_best", "times as fast as the faster peer, without checksums"),
        ("host.small_write.mrows", "integers as differences, a dictionary, the other floats split and under LZ4_RAW"),
        ("host.small_write.vs_best", "times as fast as the faster peer, without checksums"),
        ("host.bool_write.vs_arrow_rs", "booleans, times as fast as arrow-rs"),
        ("host.optional10_write.vs_arrow_rs", "a tenth of the values null, one by one"),
        ("host.optional_runs_write.vs_arrow_rs", "the same in runs"),
        ("host.columns_100_write.vs_arrow_rs", "a hundred columns"),
        ("host.columns_1000_write.vs_arrow_rs", "a thousand"),
        ("host.list32_write.vs_best", "lists of 32 numbers with their levels, against the faster of both"),
        ("host.nested_write.vs_best", "Arrow arrays with lists of structs, against the faster of both"),
        ("host.append_values.vs_columns", "the time of rows of values, against whole columns"),
        ("size.imu8_desktop.chunks", "pages of a megabyte, differences, dictionaries, split floats, ZSTD 3"),
        ("host.plain_read.mrows", "every page's checksum compared"),
        ("host.plain_read.vs_arrow_rs", "times as fast as arrow-rs without checksums"),
        ("host.plain_read.vs_arrow_cpp", "times as fast as Arrow C++ without checksums"),
        ("host.plain_read.vs_arrow_rs_crc", "with checksums on both sides"),
        ("host.plain_read.vs_arrow_cpp_crc", "with checksums on both sides"),
        ("host.plain_read_delivered.vs_arrow_rs", "pages shown where they lie, values not summed up"),
        ("host.plain_read_nocrc.vs_carquet", "times as fast as carquet, both from a mapped file and without checksums"),
        ("host.device512_read.vs_arrow_cpp", "a device's file in pages of 512 bytes"),
        ("host.delta_read.vs_best", "times as fast as the faster peer, without checksums"),
        ("host.dictionary_read.vs_best", "the same"),
        ("host.small_read.vs_best", "the same"),
        ("host.list32_read.vs_best", "lists of 32 numbers with their levels, against the faster of both"),
        ("host.bool_read.vs_arrow_rs", "booleans, times as fast as arrow-rs"),
        ("host.optional10_read.vs_arrow_rs", "a tenth of the values null, one by one"),
        ("host.optional_runs_read.vs_arrow_rs", "the same in runs"),
        ("host.columns_100_read.vs_arrow_rs", "a hundred columns"),
        ("host.columns_1000_read.vs_arrow_rs", "a thousand"),
        ("host.static_reader.vs_batches", "the time of structs, against batches"),
    ]),
    ("Files of other writers", [
        ("corpus.read", "of apache/parquet-testing, read by `mpq` to their ends"),
        ("corpus.refused", "two with wrong checksums, one with a page of 2 GB"),
        ("corpus.crashes", "any other end"),
        ("arrow.fuzz.mutants", "damaged files as Arrow streams, and producers of arrays that break the rules"),
        ("arrow.fuzz.findings", "crashes, memory read outside, wrong arrays or values among them"),
        ("filter.wrong_predicates", "of 2,000 random ones on random files, against DuckDB"),
        ("escapes.printed", "of hostile names, values and paths, by about 350 command lines of `mpq`, `csv_log` and `host_log`"),
        ("physical.wrong", "values in their units, by `mpq cat --physical` and Python's `read(physical=True)`, of columns with scales and offsets"),
        ("recover.foreign.values", "of whole pages, where files of seven writers are cut at every hundredth, by `mpq recover --schema`"),
        ("recover.foreign.wrong", "the same"),
    ]),
    ("Readers since 2015", [
        ("readers.releases", "of other readers, each reads the files of the interop matrix: [which and why](readers/readers.md)"),
        ("readers.right", "all values are those that were written"),
        ("readers.otherwise", "the values are there as another type, or cut"),
        ("readers.refused", "by an error"),
        ("readers.wrong", "other values without an error, defects of those releases"),
    ]),
    ("CSV, and logs of many devices", [
        ("csv_log.vs_duckdb", "time of `csv_log`, over that of DuckDB for the same CSV"),
        ("csv_log.floats.vs_duckdb", "the same of a time and six floats"),
        ("csv_log.recording.vs_duckdb", "the same of a recording, repeated to a million rows"),
        ("logs.right_at_once", "of 59 shapes of real logs that have one reading, by `csv_log` without an option"),
        ("logs.right_by_named_option", "of the 8 others, by a command that `csv_log` prints"),
        ("logs.wrong_values", "of all 67"),
        ("logs.time_found", "of 61 times, by `mpq info`, where the unit is the person's to say by a command that it prints"),
        ("csv_log.columns_65535.seconds", "CPU time of `csv_log` for a row of 65,535 columns, as many as a file may have"),
        ("csv_log.append_65535.seconds", "the same with `--append` to a file that has rows"),
        ("host.cat_csv.vs_duckdb", "time of `mpq cat` as CSV, over that of DuckDB for the same file"),
        ("collect.rows_missing", "that `mpq collect` leaves out of 1,500 files, cut ones among them, against all that can be recovered"),
        ("collect.vs_pyarrow", "faster than pyarrow rewriting what it can read of them"),
        ("collect.vs_duckdb", "time, over that of a loop of DuckDB that rewrites the same files"),
        ("collect.peak", "memory"),
        ("merge.day.vs_pyarrow", "user's CPU time of `mpq merge` on the 144 files of a day, over that of pyarrow for the same, ZSTD and dictionaries on both sides"),
        ("merge.day.peak", "memory"),
        ("merge.day.size_vs_pyarrow", "the file, over that of pyarrow"),
    ]),
    ("The project itself", [
        ("readme.words", "of README.md, code and tables included"),
        ("design.lines", "of src/DESIGN.md"),
        ("house.files", "that Git tracks"),
        ("house.src_read_files", "in src/read"),
        ("house.src_sources", "sources of the library"),
        ("house.longest_file", "of src and include"),
        ("house.longest_function", "of src and include, from its name to its last brace"),
        ("house.openers", "lines of comments in src and include that begin with What, Where, Of, Those, So, As, Which, If or That"),
        ("house.optimize_size", "ask whether the compiler optimizes for size"),
        ("house.casts_to_column_writer", "cast a page to the writer of its column"),
    ]),
    ("Arduino, tasks, packages", [
        ("arduino.sketch_lines", "of a whole sketch that logs two inputs"),
        ("arduino.logger_ram", "of its `Logger`, eight columns"),
        ("arduino.sketch_flash", "of that sketch on a Cortex-M0+, over a stand-in of SD"),
        ("sdfat.cuts", "of the power, over a stand-in of SdFat on Arm: in place and forward, with the SPI shared and to itself"),
        ("sdfat.rows_lost", "durable ones, in those"),
        ("rtos.logger_stack", "of a task that logs on FatFs, as painted"),
        ("packages.built", "from which a program was built and run"),
        ("packages.rules", "of package indexes, checked by their numbers"),
        ("windows.contract_broken", "of the contract of ports by `WindowsFile`, on wine"),
        ("windows.outputs", "and files of `csv_log` and `mpq` that are compared, on wine and here"),
        ("windows.differences", "of them that are not the same"),
        ("windows.foreign_dlls", "that a program over it needs and Windows has not"),
        ("shared_library.foreign_symbols", "of `microparquet_c`: names that it exports beside its own, and libraries it needs beside libc"),
        ("drop_in.bytes", "of the library as two files, with the header for C"),
        ("drop_in.writers_flash_over_library", "of a writer from the two files over one from the library, the worst of ten"),
        ("drop_in.reader_flash_over_library", "of a reader"),
        ("drop_in.flash_lto", "the worst of all where the two files and the program are compiled with -flto"),
        ("drop_in.compile_cpu", "of GCC for the two files on a Cortex-M4F, at -Os"),
        ("drop_in.compile_peak", "of GCC for them"),
        ("rescue_page.bytes", "of `rescue.html`, all compressions in it"),
        ("rescue_page.equal_mpq", "torn ones, and on images of cards, of which it makes what `mpq recover` does, byte for byte or by its report"),
        ("rescue_page.heap", "of its core, on an image of 4.6 GB"),
        ("m4f.columns_200.compile_cpu", "what a StaticWriter of 200 columns takes to compile, of that at a642cbe"),
        ("m4f.columns_200.compile_memory", "of the compiler for it"),
    ]),
]

CORES = {"m0plus": "Cortex-M0+", "m3": "Cortex-M3", "m4f": "Cortex-M4F", "m7": "Cortex-M7", "m23": "Cortex-M23",
         "m33": "Cortex-M33", "m55": "Cortex-M55", "rv32": "RV32IMC"}
LITTLEFS = ("4k", "8k", "16k", "32k", "64k", "128k")
LITTLEFS_PARTS = ("file_bytes", "programmed_bytes", "erased_bytes", "programmed_per_value", "erased_per_value", "loss")
LITTLEFS_HEADS = ("bytes of file a byte of values", "flash programmed a byte of file", "erased a byte of file",
                  "programmed a byte of values", "erased a byte of values", "a cut costs at most")
RATES = {"imu8_1k": "`imu8`, 1 kHz", "adc8x16_10k": "eight channels of an ADC, 10 kHz", "can_11k": "CAN, 11,000 frames a second"}
LOW_POWER = {"motion": "inertial sensor, 100 Hz, a burst every 10 s", "motion_durable": "the same, a checkpoint in each burst",
             "air": "air, 1 Hz, a burst every 5 min", "air_durable": "the same, a checkpoint in each burst"}
RECORDINGS = ("weather", "machine_temperature", "long_walk", "short_walk")
STALLS = ((10, 250), (10, 1000), (100, 250), (100, 1000), (1000, 250), (1000, 1000))

FILTERING = (("pyarrow", "pyarrow"), ("duckdb", "DuckDB"), ("polars", "Polars"), ("spark_vectorized", "Spark vectorized"),
             ("spark_parquet_java", "Spark parquet-java"))

# A table: title, introduction, heads, names of its rows, and the figures of a row's name.
TABLES = [
    ("Every core", "A writer of `imu8` with pages of 512 bytes.",
     ("core", "flash, with checkpoints", "RAM, all of a writer", "stack, worst case", "instructions a row"),
     [(title, [f"{core}.writer_checkpoint.flash", f"{core}.writer.ram", f"{core}.writer.stack",
               f"{core}.imu8_plain.instructions"]) for core, title in CORES.items()]),
    ("littlefs", "An hour of `imu8` at 100 Hz, forward, in blocks of 4 KiB and files of ten minutes.",
     ("`row_group_bytes`", "the writer's memory") + LITTLEFS_HEADS,
     [(size.replace("k", " KiB"), [f"littlefs.imu8_{size}.{part}" for part in ("ram",) + LITTLEFS_PARTS]) for size in LITTLEFS]),
    ("littlefs, one file", "The same hour in one file: each footer repeats the entries of all before it.",
     ("`row_group_bytes`",) + LITTLEFS_HEADS,
     [(size.replace("k", " KiB"), [f"littlefs.imu8_{size}_1h.{part}" for part in LITTLEFS_PARTS]) for size in LITTLEFS]),
    ("Recordings", "Bytes a row of the column chunks, [recordings](bench/recordings) as `csv_log` writes them. The last two: pages of 4,096, "
     "dictionaries of 16,384 bytes, row groups of 1 MB.",
     ("", "PLAIN, pages of 512", "integers as differences, 512", "auto, 512", "auto under LZ4_RAW, 1,024", "4,096", "large", "by pyarrow's"),
     [(name, [f"size.{name}_{form}.chunks" for form in ("plain_512", "delta_512", "auto_512", "small_1024", "small_4096")] +
       [f"size.{name}.chunks", f"size.{name}.vs_pyarrow"]) for name in RECORDINGS]),
    ("Other readers under a filter", "What a reader reads to find a few values in a file of `csv_log`, against what it reads of a file of pyarrow's "
     "with the same rows and row groups, sorted by the filter's column or mixed. DuckDB reads columns that lie near each other at once, and the "
     "holes between ours with them. It does not tell its row groups, and Polars maps the file.",
     ("", "row groups, sorted", "mixed", "bytes, sorted", "mixed"),
     [(title, [f"pruning.{order}.{name}.{part}_vs_arrow" for part in ("row_groups", "bytes") for order in ("sorted", "mixed")])
      for name, title in FILTERING]),
    ("A card that stalls", "`imu8`, a pause every 6 to 9 s, row groups of 256 KiB, `busy_ms` 94; the depth is that of `row_queue_depth()`.",
     ("rows/s, longest stall", "depth", "most that waited", "rows dropped", "dropped with the stall's rows as depth"),
     [(f"{rate}, {stall} ms", [f"stalls.{rate}hz_{stall}ms.{part}" for part in
                               ("depth", "most_pending", "refused", f"refused_at_{rate * stall // 1000}")])
      for rate, stall in STALLS]),
    ("Logs that are faster than their card at times", "None drops a row; the card is a model. See port/rates.md.",
     ("log, longest pause", "queue", "most that waited", "RAM"),
     [(f"{title}, {ms} ms", [f"rate.{name}.{part}{'' if ms == 500 else f'_{ms}ms'}" for part in ("depth", "most_pending", "ram")])
      for name, title in RATES.items() for ms in (250, 500, 1000)]),
    ("A card that is mostly off", "An hour on the emulated Cortex-M3; the card's own work is not counted.",
     ("", "bursts", "sector writes", "card on"),
     [(title, [f"low_power.{name}.{part}" for part in ("bursts", "sector_writes", "card_on")])
      for name, title in LOW_POWER.items()]),
]


def read_figures(path="tests/figures.txt"):
    """name -> 'value unit'."""
    lines = pathlib.Path(path).read_text().splitlines()
    return {line.split()[0]: " ".join(line.split()[1:]) for line in lines if line and not line.startswith("#")}


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def page(figures):
    left = dict(figures)

    text = HEAD
    for title, entries in SECTIONS:
        text += f"\n## {title}\n" + row(("figure", "value", "what")) + "|---|---|---|\n"
        text += "".join(row((f"`{name}`", figures[name], what)) for name, what in entries)
        for name, _ in entries:
            left.pop(name, None)
    for title, introduction, heads, rows in TABLES:
        text += f"\n## {title}\n{introduction}\n\n" + row(heads) + "|---" * len(heads) + "|\n"
        for name, members in rows:
            text += row([name] + [figures.get(member, "unknown") for member in members])
            for member in members:
                left.pop(member, None)
    text += "\n## All others\n" + row(("figure", "value")) + "|---|---|\n"
    text += "".join(row((f"`{name}`", value)) for name, value in left.items())
    return text


if __name__ == "__main__":
    sys.stdout.write(page(read_figures()))

//! arrow_rs_fixes_write FILE ROWS: writes a record batch with lists of structs (tests/bench/fixes.h) with the crate `parquet` by
//! its way for Arrow, one row group, in PLAIN, with statistics; prints the seconds of the processor from the batch to the file.

use parquet::arrow::ArrowWriter;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use peer_arrow_rs::{fixes, Stopwatch};
use std::fs::File;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let batch = fixes::make(arguments[2].parse().unwrap());
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build();

    let stopwatch = Stopwatch::start();
    let file = File::create(&arguments[1]).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    println!("{:.6}", stopwatch.seconds());
}

// Writes the rows of a Parquet file again, as arrow-rs writes them.
//
//   arrow_rs IN OUT [-codec NAME] [-version N] [-group-rows N] [-page-bytes N] [-page-rows N] [-dictionary yes|no]
use std::collections::HashMap;
use std::error::Error;
use std::fs::File;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

fn codec(name: &str) -> Compression {
    match name {
        "snappy" => Compression::SNAPPY,
        "zstd" => Compression::ZSTD(ZstdLevel::default()),
        "lz4" => Compression::LZ4_RAW,
        _ => Compression::UNCOMPRESSED,
    }
}

fn properties(options: &HashMap<String, String>) -> Result<WriterProperties, Box<dyn Error>> {
    let mut made = WriterProperties::builder();
    for (name, value) in options {
        made = match name.as_str() {
            "-codec" => made.set_compression(codec(value)),
            "-version" if value == "2" => made.set_writer_version(WriterVersion::PARQUET_2_0),
            "-version" => made.set_writer_version(WriterVersion::PARQUET_1_0),
            "-group-rows" => made.set_max_row_group_row_count(Some(value.parse()?)),
            "-page-bytes" => made.set_data_page_size_limit(value.parse()?).set_dictionary_page_size_limit(value.parse()?),
            "-page-rows" => made.set_data_page_row_count_limit(value.parse()?),
            "-dictionary" => made.set_dictionary_enabled(value == "yes"),
            _ => return Err(format!("no option {name}").into()),
        };
    }
    Ok(made.set_write_batch_size(100).build())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().collect();
    let options = words[3..].chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&words[1])?)?;
    let mut writer = ArrowWriter::try_new(File::create(&words[2])?, reader.schema().clone(), Some(properties(&options)?))?;
    for batch in reader.build()? {
        writer.write(&batch?)?;
    }
    writer.close()?;
    Ok(())
}

//! arrow_rs_write FILE ROWS [FORM]: writes `imu8` with the crate `parquet` by its fastest way, one row group, column by
//! column, with statistics of chunks; prints the seconds of the processor from create to close. The forms are those of
//! imu8_write.cpp; without one PLAIN, without a dictionary.

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as PhysicalType};
use parquet::data_type::{DataType, FloatType, Int32Type, Int64Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use peer_arrow_rs::{Columns, Stopwatch};
use std::fs::File;
use std::sync::Arc;

fn field(name: &str, physical: PhysicalType, logical: Option<LogicalType>) -> TypePtr {
    let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
    Arc::new(builder.with_logical_type(logical).build().unwrap())
}

fn make_schema() -> TypePtr {
    let micros = Some(LogicalType::timestamp(true, TimeUnit::MICROS));
    let mut fields = vec![field("ts", PhysicalType::INT64, micros), field("seq", PhysicalType::INT32, None)];
    fields.extend(["ax", "ay", "az", "temp"].map(|name| field(name, PhysicalType::FLOAT, None)));
    fields.extend(["status", "battery_mv"].map(|name| field(name, PhysicalType::INT32, None)));
    Arc::new(Type::group_type_builder("schema").with_fields(fields).build().unwrap())
}

fn write_column<T: DataType>(group: &mut SerializedRowGroupWriter<'_, File>, values: &[T::T]) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, None, None).unwrap();
    column.close().unwrap();
}

fn properties_of(form: &str) -> WriterProperties {
    let mut builder =
        WriterProperties::builder().set_dictionary_enabled(false).set_statistics_enabled(EnabledStatistics::Chunk);
    if form != "plain" {
        for name in ["ts", "seq", "status", "battery_mv"] {
            builder = builder.set_column_encoding(ColumnPath::from(name), Encoding::DELTA_BINARY_PACKED);
        }
    }
    if form == "dictionary" {
        builder = builder.set_column_dictionary_enabled(ColumnPath::from("status"), true);
    }
    if form == "dictionary" || form == "small" {
        builder = builder.set_column_dictionary_enabled(ColumnPath::from("temp"), true);
    }
    if form == "small" {
        for name in ["ax", "ay", "az"] {
            builder = builder
                .set_column_encoding(ColumnPath::from(name), Encoding::BYTE_STREAM_SPLIT)
                .set_column_compression(ColumnPath::from(name), Compression::LZ4_RAW);
        }
    }
    builder.build()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let columns = Columns::new(arguments[2].parse().unwrap());
    let schema = make_schema();
    let properties = properties_of(arguments.get(3).map_or("plain", String::as_str));

    let stopwatch = Stopwatch::start();
    let file = File::create(&arguments[1]).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    write_column::<Int64Type>(&mut group, &columns.ts);
    write_column::<Int32Type>(&mut group, &columns.seq);
    for values in [&columns.ax, &columns.ay, &columns.az, &columns.temp] {
        write_column::<FloatType>(&mut group, values);
    }
    write_column::<Int32Type>(&mut group, &columns.status);
    write_column::<Int32Type>(&mut group, &columns.battery_mv);
    group.close().unwrap();
    writer.close().unwrap();
    println!("{:.6}", stopwatch.seconds());
}

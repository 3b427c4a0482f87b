//! arrow_rs_table_write FILE ROWS TABLE: writes a table (tests/bench/tables.h) with the crate `parquet` by its fastest way,
//! one row group, column by column, in PLAIN, with statistics; prints the seconds of the processor from create to close.

use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, DataType, DoubleType, Int32Type};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use peer_arrow_rs::tables::{self, Values};
use peer_arrow_rs::Stopwatch;
use std::fs::File;
use std::sync::Arc;

fn make_list(name: &str) -> TypePtr {
    let element = Type::primitive_type_builder("element", PhysicalType::INT32)
        .with_repetition(Repetition::OPTIONAL)
        .build()
        .unwrap();
    let list = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(element)])
        .build()
        .unwrap();
    let column = Type::group_type_builder(name)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(list)])
        .build();
    Arc::new(column.unwrap())
}

fn make_schema(table: &[Values]) -> TypePtr {
    let fields = table.iter().enumerate().map(|(i, values)| {
        if matches!(values, Values::Lists(..)) {
            return make_list(&format!("c{i}"));
        }
        let (physical, repetition) = match values {
            Values::Bool(_) => (PhysicalType::BOOLEAN, Repetition::REQUIRED),
            Values::Int32(_) => (PhysicalType::INT32, Repetition::REQUIRED),
            _ => (PhysicalType::DOUBLE, Repetition::OPTIONAL),
        };
        let name = format!("c{i}");
        Arc::new(Type::primitive_type_builder(&name, physical).with_repetition(repetition).build().unwrap())
    });
    Arc::new(Type::group_type_builder("schema").with_fields(fields.collect()).build().unwrap())
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    levels: Option<&[i16]>,
    repetition: Option<&[i16]>,
) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, levels, repetition).unwrap();
    column.close().unwrap();
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let table = tables::make(&arguments[3], arguments[2].parse().unwrap());
    let schema = make_schema(&table);
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build();

    let stopwatch = Stopwatch::start();
    let file = File::create(&arguments[1]).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for values in &table {
        match values {
            Values::Bool(values) => write_column::<BoolType>(&mut group, values, None, None),
            Values::Int32(values) => write_column::<Int32Type>(&mut group, values, None, None),
            Values::OptionalDouble(values, levels) => {
                write_column::<DoubleType>(&mut group, values, Some(levels), None)
            }
            Values::Lists(values, levels, repetition) => {
                write_column::<Int32Type>(&mut group, values, Some(levels), Some(repetition))
            }
        }
    }
    group.close().unwrap();
    writer.close().unwrap();
    println!("{:.6}", stopwatch.seconds());
}

//! arrow_rs_table_read FILE: reads a table (tests/bench/tables.h) with the crate `parquet` by its fastest way, typed batches
//! of 65,536 values, and sums what is there; prints seconds and sums.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use peer_arrow_rs::tables::LIST_ITEMS;
use peer_arrow_rs::Stopwatch;
use std::fs::File;

const BATCH: usize = 65536;

// A function of its own: inlined into a loop with calls, the sum could live in memory.
#[inline(never)]
fn add_batch<V, S>(batch: &[V], sum: S, add: impl Fn(S, &V) -> S) -> S {
    batch.iter().fold(sum, add)
}

// Booleans, as many at a time as a byte can count, as our program does.
#[inline(never)]
fn add_bools(batch: &[bool], sum: i64) -> i64 {
    batch.chunks(255).fold(sum, |sum, part| {
        sum + part.iter().fold(0u8, |count, v| count + *v as u8) as i64
    })
}

fn sum_column<T: DataType, S: Copy>(
    mut reader: ColumnReaderImpl<T>,
    batch: &mut Vec<T::T>,
    mut levels: Option<&mut Vec<i16>>,
    mut repetition: Option<&mut Vec<i16>>,
    sum: &mut S,
    add: impl Fn(&[T::T], S) -> S,
) {
    loop {
        batch.clear();
        if let Some(levels) = levels.as_mut() {
            levels.clear();
        }
        let records_of_batch = match repetition.as_mut() {
            Some(repetition) => {
                repetition.clear();
                BATCH / LIST_ITEMS
            }
            None => BATCH,
        };
        let (records, _, _) = reader
            .read_records(records_of_batch, levels.as_deref_mut(), repetition.as_deref_mut(), batch)
            .unwrap();
        if records == 0 {
            return;
        }
        *sum = add(batch, *sum);
    }
}

fn main() {
    let path = std::env::args().nth(1).unwrap();

    let stopwatch = Stopwatch::start();
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let mut bools = Vec::<bool>::with_capacity(BATCH);
    let mut ints = Vec::<i32>::with_capacity(BATCH);
    let mut doubles = Vec::<f64>::with_capacity(BATCH);
    let mut levels = Vec::<i16>::with_capacity(BATCH);
    let mut repetition = Vec::<i16>::with_capacity(BATCH);
    let (mut rows, mut int_sum, mut double_sum) = (0i64, 0i64, 0f64);
    for i in 0..reader.num_row_groups() {
        let group = reader.get_row_group(i).unwrap();
        rows += group.metadata().num_rows();
        for column in 0..group.num_columns() {
            match group.get_column_reader(column).unwrap() {
                ColumnReader::BoolColumnReader(r) => {
                    sum_column(r, &mut bools, None, None, &mut int_sum, add_bools)
                }
                ColumnReader::Int32ColumnReader(r) => {
                    let repeated = group.metadata().column(column).column_descr().max_rep_level() > 0;
                    let levels = if repeated { Some(&mut levels) } else { None };
                    let repetition = if repeated { Some(&mut repetition) } else { None };
                    sum_column(r, &mut ints, levels, repetition, &mut int_sum, |batch, sum| {
                        add_batch(batch, sum, |sum, v| sum + *v as i64)
                    })
                }
                ColumnReader::DoubleColumnReader(r) => {
                    sum_column(r, &mut doubles, Some(&mut levels), None, &mut double_sum, |batch, sum| {
                        add_batch(batch, sum, |sum, v| sum + *v)
                    })
                }
                _ => panic!("not a column of the tables"),
            }
        }
    }
    println!("{:.6} {} 0 {} {:.6}", stopwatch.seconds(), rows, int_sum, double_sum);
}

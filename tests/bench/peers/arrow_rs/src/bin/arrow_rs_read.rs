//! arrow_rs_read FILE [delivered]: reads `imu8` with the crate `parquet` by its fastest way, typed batches of 65,536 values,
//! and sums each column; prints seconds and sums. delivered: without the sums. Built with the feature `crc` it verifies
//! page checksums.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use peer_arrow_rs::Stopwatch;
use std::fs::File;

const BATCH: usize = 65536;

// A function of its own: inlined into a loop with calls, the sum could live in memory.
#[inline(never)]
fn add_batch<V, S>(batch: &[V], sum: S, add: impl Fn(S, &V) -> S) -> S {
    batch.iter().fold(sum, add)
}

fn sum_column<T: DataType, S: Copy>(
    mut reader: ColumnReaderImpl<T>,
    batch: &mut Vec<T::T>,
    sums: bool,
    sum: &mut S,
    add: impl Fn(S, &T::T) -> S + Copy,
) {
    loop {
        batch.clear();
        let (records, _, _) = reader.read_records(BATCH, None, None, batch).unwrap();
        if records == 0 {
            return;
        }
        if sums {
            *sum = add_batch(batch, *sum, add);
        }
    }
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let sums = std::env::args().nth(2).is_none();

    let stopwatch = Stopwatch::start();
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let mut int64s = Vec::<i64>::with_capacity(BATCH);
    let mut int32s = Vec::<i32>::with_capacity(BATCH);
    let mut float32s = Vec::<f32>::with_capacity(BATCH);
    let (mut rows, mut ts, mut ints, mut floats) = (0i64, 0i64, 0i64, 0f64);
    for i in 0..reader.num_row_groups() {
        let group = reader.get_row_group(i).unwrap();
        rows += group.metadata().num_rows();
        for column in 0..group.num_columns() {
            match group.get_column_reader(column).unwrap() {
                ColumnReader::Int64ColumnReader(r) => {
                    sum_column(r, &mut int64s, sums, &mut ts, |sum, v| sum + v)
                }
                ColumnReader::Int32ColumnReader(r) => {
                    sum_column(r, &mut int32s, sums, &mut ints, |sum, v| sum + *v as i64)
                }
                ColumnReader::FloatColumnReader(r) => {
                    sum_column(r, &mut float32s, sums, &mut floats, |sum, v| sum + *v as f64)
                }
                _ => panic!("not a column of imu8"),
            }
        }
    }
    let seconds = stopwatch.seconds();
    if sums {
        println!("{:.6} {} {} {} {:.6}", seconds, rows, ts, ints, floats);
    } else {
        println!("{:.6}", seconds);
    }
}

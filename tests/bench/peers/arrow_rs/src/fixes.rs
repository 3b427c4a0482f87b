//! The GNSS fixes of tests/bench/fixes.h: the same numbers.

use crate::Random;
use arrow_array::{
    Array,
    ArrayRef, Float32Array, Float64Array, ListArray, RecordBatch, StructArray, TimestampMicrosecondArray, UInt8Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Schema};
use std::sync::Arc;

#[derive(Default)]
struct Satellites {
    id: Vec<u8>,
    elevation: Vec<f32>,
    azimuth: Vec<f32>,
    snr: Vec<f32>,
    has_snr: Vec<bool>,
}

impl Satellites {
    fn push(&mut self, random: &mut Random) {
        self.has_snr.push(random.next() % 10 != 0);
        self.id.push((random.next() % 32 + 1) as u8);
        self.elevation.push((random.next() % 90) as f32);
        self.azimuth.push((random.next() % 360) as f32);
        self.snr.push((random.next() % 50) as f32 * 0.5);
    }

    fn into_array(self) -> StructArray {
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("id", Arc::new(UInt8Array::from(self.id))),
            ("elevation", Arc::new(Float32Array::from(self.elevation))),
            ("azimuth", Arc::new(Float32Array::from(self.azimuth))),
            ("snr", Arc::new(Float32Array::new(self.snr.into(), Some(NullBuffer::from(self.has_snr))))),
        ];
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns
            .into_iter()
            .map(|(name, array)| (Field::new(name, array.data_type().clone(), true), array))
            .unzip();
        StructArray::new(fields.into(), arrays, None)
    }
}

pub fn make(rows: usize) -> RecordBatch {
    let mut random = Random(12345);
    let (mut time, mut lat, mut lon, mut counts) = (vec![], vec![], vec![], vec![]);
    let mut satellites = Satellites::default();
    for row in 0..rows {
        time.push(1_700_000_000_000_000 + row as i64 * 100_000);
        lat.push(52.5 + random.next() as f64 * 1e-9);
        lon.push(13.4 + random.next() as f64 * 1e-9);
        let count = (random.next() % 21) as usize;
        (0..count).for_each(|_| satellites.push(&mut random));
        counts.push(count);
    }
    let satellites = satellites.into_array();
    let element = Arc::new(Field::new("element", DataType::Struct(satellites.fields().clone()), true));
    let list = ListArray::new(element, OffsetBuffer::from_lengths(counts), Arc::new(satellites), None);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("time", Arc::new(TimestampMicrosecondArray::from(time).with_timezone("UTC"))),
        ("lat", Arc::new(Float64Array::from(lat))),
        ("lon", Arc::new(Float64Array::from(lon))),
        ("satellites", Arc::new(list)),
    ];
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

//! The tables of tests/bench/tables.h: the same numbers.

pub enum Values {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    /// Of the rows that are not null, and a level for each row.
    OptionalDouble(Vec<f64>, Vec<i16>),
    /// Lists of LIST_ITEMS each, all of them there, and two levels for each item: definition and repetition.
    Lists(Vec<i32>, Vec<i16>, Vec<i16>),
}

pub const LIST_ITEMS: usize = 32;

struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        self.0 >> 8
    }
}

fn optional_doubles(random: &mut Random, rows: usize, runs: bool) -> Values {
    let (mut values, mut levels) = (vec![], vec![]);
    let mut present = true;
    for _ in 0..rows {
        let number = random.next() as f64 * 0.001;
        let chance = random.next();
        if !runs {
            present = chance % 10 != 0;
        } else if chance % 1000 == 0 {
            present = !present;
        }
        levels.push(present as i16);
        if present {
            values.push(number);
        }
    }
    Values::OptionalDouble(values, levels)
}

fn lists(random: &mut Random, rows: usize) -> Values {
    let items = rows * LIST_ITEMS;
    Values::Lists(
        (0..items).map(|_| random.next() as i32 - (1 << 23)).collect(),
        vec![3; items],
        (0..items).map(|i| (i % LIST_ITEMS != 0) as i16).collect(),
    )
}

pub fn make(name: &str, rows: usize) -> Vec<Values> {
    let mut random = Random(12345);
    let count = match name {
        "bool8" => 8,
        "columns_100" => 100,
        "columns_1000" => 1000,
        _ => 4,
    };
    (0..count)
        .map(|_| match name {
            "bool8" => Values::Bool((0..rows).map(|_| random.next() & 64 != 0).collect()),
            "columns_100" | "columns_1000" => {
                Values::Int32((0..rows).map(|_| random.next() as i32 - (1 << 23)).collect())
            }
            "list32" => lists(&mut random, rows),
            _ => optional_doubles(&mut random, rows, name == "optional_runs"),
        })
        .collect()
}

//! The table, and the numbers in it.

use std::time::Duration;

/// Rows of cells: at the service, the program over loopback, the real one over loopback.
#[derive(Default)]
pub(crate) struct Table(Vec<String>);

impl Table {
    pub(crate) fn row(&mut self, what: &str, bar: &str, cells: [Option<String>; 3]) {
        let [service, program, real] = cells.map(Option::unwrap_or_default);
        let row = format!("| {what} | {bar} | {service} | {program} | {real} |");
        eprintln!("{row}");
        self.0.push(row);
    }

    pub(crate) fn print(&self) {
        println!("| | bar | at the `tower::Service` | over loopback | the real one over loopback |");
        println!("|---|---|---|---|---|");
        self.0.iter().for_each(|row| println!("{row}"));
    }
}

/// The one in the middle.
pub(crate) fn median<T: Ord + Copy>(mut all: Vec<T>) -> T {
    all.sort_unstable();
    all[all.len() / 2]
}

pub(crate) fn time(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        ..1_000.0 => format!("{micros:.1} µs"),
        ..1_000_000.0 => format!("{:.2} ms", micros / 1e3),
        _ => format!("{:.2} s", micros / 1e6),
    }
}

pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{} MB", tenths(bytes, 1_000_000))
}

pub(crate) fn kilobytes(bytes: u64) -> String {
    format!("{} KB", tenths(bytes, 1_000))
}

/// With one digit behind the point.
fn tenths(bytes: u64, unit: u64) -> String {
    let tenths = (bytes * 10 + unit / 2) / unit;
    format!("{}.{}", tenths / 10, tenths % 10)
}

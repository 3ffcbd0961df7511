//! Times as Go's `time.Parse` reads them, with its errors, and as the real server writes them back: in UTC, with seconds or
//! microseconds.

use jiff::{
    Timestamp,
    civil::DateTime,
    fmt::temporal::DateTimePrinter,
    tz::{Offset, TimeZone},
};

/// How exact a time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// `metav1.Time`.
    Seconds,
    /// `metav1.MicroTime`.
    Micros,
}

/// The time as it is written back.
///
/// # Errors
///
/// `parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`.
pub(super) fn canonical(text: &str, precision: Precision) -> Result<String, String> {
    let time = Parser::new(text, precision).time()?;
    let digits = match precision {
        Precision::Seconds => 0,
        Precision::Micros => 6,
    };
    let printer = DateTimePrinter::new().precision(Some(digits));
    Ok(printer.timestamp_to_string(&time))
}

struct Parser<'t> {
    text: &'t str,
    layout: &'static str,
    rest: &'t str,
    micros: bool,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, precision: Precision) -> Self {
        let micros = precision == Precision::Micros;
        let layout = if micros {
            "2006-01-02T15:04:05.000000Z07:00"
        } else {
            "2006-01-02T15:04:05Z07:00"
        };
        Self {
            text,
            layout,
            rest: text,
            micros,
        }
    }

    fn time(mut self) -> Result<Timestamp, String> {
        let year = self.year()?;
        self.literal("-")?;
        let month = self.number("01", true, 1..13, "month")?;
        self.literal("-")?;
        let day = self.number("02", true, 0..100, "day")?;
        self.literal("T")?;
        let hour = self.number("15", false, 0..24, "hour")?;
        self.literal(":")?;
        let minute = self.number("04", true, 0..60, "minute")?;
        self.literal(":")?;
        let second = self.number("05", true, 0..60, "second")?;
        let nanos = self.fraction()?;
        let offset = self.offset()?;
        if !self.rest.is_empty() {
            return Err(format!("parsing time {:?}: extra text: {:?}", self.text, self.rest));
        }
        let out_of_range = || format!("parsing time {:?}: day out of range", self.text);
        let date_time = DateTime::new(year, month, day, hour, minute, second, nanos).map_err(|_| out_of_range())?;
        let offset = Offset::from_seconds(offset).map_err(|_| out_of_range())?;
        let zoned = date_time
            .to_zoned(TimeZone::fixed(offset))
            .map_err(|_| out_of_range())?;
        Ok(zoned.timestamp())
    }

    fn bad(&self, what: &str) -> String {
        format!(
            "parsing time {:?} as {:?}: cannot parse {:?} as {what:?}",
            self.text, self.layout, self.rest
        )
    }

    fn literal(&mut self, literal: &str) -> Result<(), String> {
        self.rest = self.rest.strip_prefix(literal).ok_or_else(|| self.bad(literal))?;
        Ok(())
    }

    fn digits(&self) -> usize {
        self.rest.bytes().take_while(u8::is_ascii_digit).count()
    }

    fn year(&mut self) -> Result<i16, String> {
        if self.digits() < 4 {
            return Err(self.bad("2006"));
        }
        let (year, rest) = self.rest.split_at(4);
        self.rest = rest;
        Ok(year.parse().unwrap_or_default())
    }

    fn number(&mut self, what: &str, fixed: bool, range: std::ops::Range<i8>, name: &str) -> Result<i8, String> {
        let length = match self.digits() {
            0 => return Err(self.bad(what)),
            1 if fixed => return Err(self.bad(what)),
            digits => digits.min(2),
        };
        let (number, rest) = self.rest.split_at(length);
        let number = number.parse().unwrap_or_default();
        if !range.contains(&number) {
            return Err(format!("parsing time {:?}: {name} out of range", self.text));
        }
        self.rest = rest;
        Ok(number)
    }

    /// The fraction of a second, in billionths: six digits where the layout wants them, else as many as there are.
    fn fraction(&mut self) -> Result<i32, String> {
        let after = self.rest.strip_prefix(['.', ',']);
        let digits = after.map_or(0, |it| it.bytes().take_while(u8::is_ascii_digit).count());
        let digits = match (self.micros, digits) {
            (true, 6..) => 6,
            (true, _) => return Err(self.bad(".000000")),
            (false, 0) => return Ok(0),
            (false, digits) => digits,
        };
        let (fraction, rest) = after.unwrap_or_default().split_at(digits);
        self.rest = rest;
        let nanos = format!("{fraction:0<9}");
        Ok(nanos[..9].parse().unwrap_or_default())
    }

    /// The offset from UTC, in seconds.
    fn offset(&mut self) -> Result<i32, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let sign = match self.rest.as_bytes() {
            [b'+', _, _, b':', _, _, ..] => 1,
            [b'-', _, _, b':', _, _, ..] => -1,
            _ => return Err(self.bad("Z07:00")),
        };
        let number = |from: usize| {
            let digits = self
                .rest
                .get(from..from + 2)
                .filter(|it| it.bytes().all(|it| it.is_ascii_digit()));
            digits
                .and_then(|it| it.parse::<i32>().ok())
                .ok_or_else(|| self.bad("Z07:00"))
        };
        let (hours, minutes) = (number(1)?, number(4)?);
        for (value, most, name) in [(hours, 24, "hour"), (minutes, 60, "minute")] {
            if value > most {
                return Err(format!(
                    "parsing time {:?}: time zone offset {name} out of range",
                    self.text
                ));
            }
        }
        self.rest = &self.rest[6..];
        Ok(sign * (hours * 3600 + minutes * 60))
    }
}

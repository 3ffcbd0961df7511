//! What a process holds, as Linux tells it.

use std::fs;

/// Bytes that are resident.
pub(crate) fn resident(process: u32) -> u64 {
    field(process, "VmRSS:")
}

/// The most bytes that were resident.
pub(crate) fn peak(process: u32) -> u64 {
    field(process, "VmHWM:")
}

/// Begins to look for the most anew.
pub(crate) fn forget_peak(process: u32) {
    fs::write(format!("/proc/{process}/clear_refs"), "5").expect("the system forgets the peak of a child");
}

fn field(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("a process that runs");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line
        .and_then(|line| line.trim().strip_suffix(" kB"))
        .expect("a number of kB");
    kilobytes.parse::<u64>().expect("a number") * 1024
}

/// The processes of these programs that have `text` in their command lines.
pub(crate) fn processes(programs: &[&str], text: &str) -> Vec<u32> {
    let all = fs::read_dir("/proc").expect("a Linux").flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|process: &u32| {
            let read = |file: &str| fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
            let program = String::from_utf8_lossy(&read("comm")).trim().to_owned();
            programs.contains(&program.as_str()) && String::from_utf8_lossy(&read("cmdline")).contains(text)
        })
        .collect()
}

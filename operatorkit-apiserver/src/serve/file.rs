//! Files that hold secrets.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    path::Path,
};

/// Writes a file that only its owner may read: all of it, or nothing changes.
///
/// # Errors
///
/// As the file system or `write` says.
pub fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_os_string();
    name.push(format!(".{:016x}.tmp", fastrand::u64(..)));
    let temporary = path.with_file_name(name);
    let written = private(&temporary).and_then(|file| {
        let mut writer = BufWriter::new(file);
        write(&mut writer)?;
        writer
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?
            .sync_all()?;
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        // What is left of a failed write is in nobody's way, but it holds secrets.
        _ = fs::remove_file(&temporary);
    }
    written
}

fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

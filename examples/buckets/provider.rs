//! A provider on disk: each thing is a directory, with a file that says what it is and which tag it carries.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use operatorkit::{
    anyhow::Context as _,
    prelude::*,
    serde::{Deserialize, Serialize},
    serde_json,
};

/// A directory with the things of a provider, and a journal of what was done to them.
#[derive(Debug)]
pub(crate) struct Provider {
    root: PathBuf,
}

/// What the provider keeps of a thing.
#[derive(Debug, Serialize, Deserialize)]
#[serde(crate = "operatorkit::serde")]
pub(crate) struct Thing {
    /// The tag that the thing was made with.
    pub(crate) tag: String,
    pub(crate) quota: u32,
    /// The thing that this one protects.
    pub(crate) protects: Option<String>,
}

impl Thing {
    pub(crate) fn new(tag: &str, quota: u32) -> Self {
        Self {
            tag: tag.to_owned(),
            quota,
            protects: None,
        }
    }

    pub(crate) fn protects(mut self, id: &str) -> Self {
        self.protects = Some(id.to_owned());
        self
    }
}

impl Provider {
    pub(crate) fn open(root: PathBuf) -> Result<Self> {
        fs::create_dir_all(&root).with_context(|| format!("cannot make {}", root.display()))?;
        Ok(Self { root })
    }

    pub(crate) fn path(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }

    /// Makes a thing with its tag, in one step: a crash leaves all of it or nothing. The provider chooses the identifier.
    pub(crate) fn create(&self, kind: &str, thing: &Thing) -> Result<String> {
        let number = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)?
            .as_nanos();
        let id = format!("{kind}-{number:x}");
        let unfinished = self.root.join(format!(".{id}"));
        fs::create_dir(&unfinished)?;
        fs::write(unfinished.join("thing.json"), serde_json::to_vec(thing)?)?;
        fs::rename(&unfinished, self.path(&id))?;
        self.note(&format!("create {id}"))?;
        Ok(id)
    }

    /// The thing of this kind that carries the tag.
    pub(crate) fn find(&self, kind: &str, tag: &str) -> Result<Option<String>> {
        for entry in fs::read_dir(&self.root)? {
            let id = entry?.file_name().to_string_lossy().into_owned();
            if id.starts_with(&format!("{kind}-")) && self.read(&id)?.is_some_and(|thing| thing.tag == tag) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    pub(crate) fn read(&self, id: &str) -> Result<Option<Thing>> {
        match fs::read(self.path(id).join("thing.json")) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(err) => Err(err.into()),
        }
    }

    pub(crate) fn resize(&self, id: &str, quota: u32) -> Result<()> {
        let thing = self.read(id)?.with_context(|| format!("{id} does not exist"))?;
        let changed = Thing { quota, ..thing };
        fs::write(self.path(id).join("thing.json"), serde_json::to_vec(&changed)?)?;
        self.note(&format!("update {id}"))
    }

    /// Deletes a thing; one that is gone already is as good.
    pub(crate) fn delete(&self, id: &str) -> Result<()> {
        if remove(&self.path(id))? {
            self.note(&format!("delete {id}"))
        } else {
            Ok(())
        }
    }

    /// The journal shows in which order things were made and deleted.
    fn note(&self, line: &str) -> Result<()> {
        use std::io::Write as _;
        let mut journal = fs::File::options()
            .append(true)
            .create(true)
            .open(self.root.join("journal"))?;
        Ok(writeln!(journal, "{line}")?)
    }
}

fn remove(path: &Path) -> io::Result<bool> {
    match fs::remove_dir_all(path) {
        Ok(()) => Ok(true),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(err) => Err(err),
    }
}

//! Certificates as files.
//!
//! An answer has one or two: `a.cert`, and beside it `a.shorter.cert` (there is no shorter mate) or
//! `a.more.cert` (the score is not more). They appear together when the last one was checked, and an
//! old one that no new one replaces goes: whoever finds two beside each other may take them for those
//! of one answer. All three names are claimed meanwhile, so another run that is to write one of them
//! is refused.

use std::cell::RefCell;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use andor::certificate::{Header, HeaderError, Written};
use andor::{Claim, Solvable};
use anyhow::{Result, bail};
use yomikiri_files::{self as files, AtomicFile};
use yomikiri_question::certificate::{self, Source};
use yomikiri_question::games::AnyProblem;
use yomikiri_question::lang::text;

/// What may be certified beside an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Second {
    /// There is no shorter mate.
    Shorter,
    /// The score is not more.
    More,
}

impl Second {
    const ALL: [Second; 2] = [Second::Shorter, Second::More];

    /// The certificate's name, where that of the answer is `path`.
    fn path(self, path: &Path) -> PathBuf {
        path.with_extension(match self {
            Second::Shorter => "shorter.cert",
            Second::More => "more.cert",
        })
    }
}

/// The names of all certificates that an answer may have, that of the answer first.
pub fn names(path: &Path) -> Vec<PathBuf> {
    let beside = Second::ALL.map(|second| second.path(path));
    [path.to_owned()].into_iter().chain(beside).collect()
}

/// A certificate that is to be written.
pub struct Draft {
    file: AtomicFile,
    written: Rc<RefCell<Vec<AtomicFile>>>,
}

impl Draft {
    /// Its name.
    pub fn target(&self) -> &Path {
        self.file.target()
    }

    /// Writes and checks it; it appears with the others. None if it was stopped.
    pub fn write<P: Solvable>(
        self,
        claim: Claim<&P>,
        any: &AnyProblem,
        source: &Source<'_>,
    ) -> Result<Option<Written>> {
        let written = write(claim, any, source, &self.file)?;
        if written.is_some() {
            self.written.borrow_mut().push(self.file);
        }
        Ok(written)
    }
}

/// The certificates of one answer.
#[derive(Default)]
pub struct Certificates {
    /// Those that are to be written, that of the answer first.
    pub drafts: Vec<Draft>,
    rest: Rest,
}

/// The names of an answer's certificates, and what is to appear there.
#[derive(Default)]
pub struct Rest {
    names: Vec<PathBuf>,
    /// Claims of names where nothing is to appear.
    claims: Vec<AtomicFile>,
    written: Rc<RefCell<Vec<AtomicFile>>>,
}

impl Certificates {
    /// Begins the certificate of an answer, and if it becomes a file, a second one beside it.
    pub fn new(path: &Path, second: Option<Second>) -> Result<Certificates> {
        let mut new = Certificates::default();
        let draft = |file| Draft { file, written: new.rest.written.clone() };
        new.drafts.push(draft(AtomicFile::new(path)?));
        if !files::is_file(path) {
            return Ok(new);
        }
        new.rest.names = names(path);
        for beside in Second::ALL {
            let name = beside.path(path);
            let file = AtomicFile::new(&name)?;
            if name.exists() && !is_certificate(&name) {
                let (name, path) = (name.display(), path.display());
                bail!(text!(
                    "{name} is no certificate, and would be lost beside a new {path}: move it, or give \
                     another name",
                    "{name} は証明書ではなく、{path} を書くと失われます。移動するか、別の名前を指定してください"
                ));
            }
            match Some(beside) == second {
                true => new.drafts.push(draft(file)),
                false => new.rest.claims.push(file),
            }
        }
        Ok(new)
    }

    /// Takes them apart: what is to be written, and what remains to be done then.
    pub fn split(self) -> (Vec<Draft>, Rest) {
        (self.drafts, self.rest)
    }
}

impl Rest {
    /// Lets all that was written appear. Without any, what was there stays.
    pub fn finish(self) -> Result<()> {
        let written = self.written.take();
        if written.is_empty() {
            return Ok(());
        }
        let is_new = |name: &PathBuf| written.iter().any(|file| file.target() == name);
        let mut outdated = self.names;
        outdated.retain(|name| !is_new(name) && is_certificate(name));
        Ok(AtomicFile::finish_together(written, &outdated)?)
    }
}

/// Writes a certificate of a claim about `any` into a draft, and checks it. None if it was stopped.
pub fn write<P: Solvable>(
    claim: Claim<&P>,
    any: &AnyProblem,
    source: &Source<'_>,
    draft: &AtomicFile,
) -> Result<Option<Written>> {
    match certificate::write(claim, any, source, &mut draft.file()) {
        Ok(written) => Ok(Some(written)),
        Err(error) if error.is_stopped() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Is this file a certificate, whatever it certifies?
pub fn is_certificate(path: &Path) -> bool {
    let Some(file) =
        Some(path).filter(|path| path.is_file()).and_then(|path| File::open(path).ok())
    else {
        return false;
    };
    let header = Header::read(&mut BufReader::new(file));
    !matches!(header, Err(HeaderError::NotACertificate | HeaderError::Io(_)))
}

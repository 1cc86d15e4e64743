//! The files of a checked problem: a record with comments, a diagram, a sheet to print.

use std::path::PathBuf;

use andor::Stop;
use anyhow::Result;
use yomikiri_files::{self as files, AtomicFile};
use yomikiri_question::check_record::{self, Extras};
use yomikiri_shogi::notation::{Format, Record};
use yomikiri_tsume::{Mate, VariationLimits, variations};

use super::super::convert;
use super::told::Told;
use crate::sheet;
use crate::solution_record;

/// Where to write what.
pub struct Outputs {
    pub kif: Option<PathBuf>,
    pub svg: Option<PathBuf>,
    pub sheet: Option<PathBuf>,
}

impl Outputs {
    /// All of them.
    pub fn paths(self) -> impl Iterator<Item = PathBuf> {
        [self.kif, self.svg, self.sheet].into_iter().flatten()
    }

    /// Writes what is asked for; gives the names of the files.
    pub fn write(
        &self,
        told: &Told<'_>,
        record: &Record,
        format: Option<Format>,
        mate: &Mate<'_>,
        stop: &Stop,
    ) -> Result<Vec<String>> {
        let mut written = Vec::new();
        let branches = match self.kif.is_some() || self.sheet.is_some() {
            true => {
                let limits = VariationLimits { stop: stop.clone(), ..VariationLimits::default() };
                variations(mate, &told.shogi.tsume(), &told.report.line, &limits).branches
            }
            false => Vec::new(),
        };
        if let Some(path) = &self.kif {
            let extras =
                Extras { record, branches: &branches, necessity: told.necessity, most: told.most };
            let solved = check_record::of_report(told.shogi, told.report, &extras);
            solution_record::write(&solved, AtomicFile::new(path)?)?;
            written.push(path.display().to_string());
        }
        if let Some(path) = &self.svg {
            files::write(path, convert::picture(record, format).as_bytes())?;
            written.push(path.display().to_string());
        }
        if let Some(path) = &self.sheet {
            let sheet = sheet::Sheet {
                title: convert::title(record, told.item),
                header: &record.header,
                diagram: convert::picture(record, format),
                position: &told.shogi.position,
                report: told.report,
                necessity: told.necessity,
                branches: &branches,
                most: told.most,
            };
            files::write(path, sheet.to_string().as_bytes())?;
            written.push(path.display().to_string());
        }
        Ok(written)
    }
}

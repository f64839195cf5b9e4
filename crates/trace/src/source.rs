//! The file that minds are made of, with all that it includes, as a recording keeps it.
//!
//! In:   the texts of one load.
//! Out:  bytes; and from them the same domain again, without a disk.
//! Cost: the texts; loading them again costs what loading does.

use std::sync::Arc;
use throng_base::codec_struct;
use throng_domain::formats::{Loaded, load};
use throng_domain::source::Sources;
use throng_domain::{Format, Limits, Report, Severity};
use throng_mind::spec::Spec;
use throng_mind::time::Pace;
use throng_planner::PreparedDomain;

/// A file and what it includes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordingSource {
    /// Names and texts; the first is the file itself, the others as it calls them.
    pub files: Vec<(String, String)>,
    /// The pace of the minds.
    pub pace: Pace,
}

impl RecordingSource {
    /// The texts that a model was read from: those of `Model::sources` or of `Loaded`.
    pub fn of(sources: &Sources, pace: Pace) -> RecordingSource {
        let main = sources.files().first().map_or("", |file| file.name());
        // Included files are named with the folder of the first before them.
        let folder = main.rfind(['/', '\\']).map_or(0, |at| at + 1);
        let name = |name: &str| match name.starts_with(&main[..folder]) {
            true => name[folder..].to_string(),
            false => name.to_string(),
        };
        let files = sources.files().iter().map(|file| (name(file.name()), file.text().to_string()));
        RecordingSource { files: files.collect(), pace }
    }

    /// Reads the domain again.
    pub fn load(&self) -> Loaded {
        let (name, text) = self.files.first().map_or(("", ""), |(name, text)| (name, text));
        let format = Format::of_path(name).unwrap_or(Format::Npc);
        let mut fetch = |path: &str| {
            let found = self.files.iter().skip(1).find(|(name, _)| name == path);
            let text = found.map(|(_, text)| text.clone());
            text.ok_or_else(|| "it is not in the recording".to_string())
        };
        load(name, text, format, &Limits::default(), &throng_mind::notes::WORDS, &mut fetch)
    }

    /// What it says about minds, or its first mistake.
    pub(crate) fn spec(&self) -> Result<Spec, String> {
        let Loaded { model, report, sources } = self.load();
        let first = |report: &Report| {
            let mistake = report.diagnostics().iter().find(|it| it.severity() == Severity::Error);
            mistake.map_or_else(|| "it is refused".to_string(), |it| it.short(&sources))
        };
        let Some(model) = &model else { return Err(first(&report)) };
        let domain = Arc::new(PreparedDomain::new(model));
        Spec::read(model, domain, self.pace).map_err(|report| first(&report))
    }
}

codec_struct!(RecordingSource { pace, files });

//! `agree native`: machine code and the engine, state by state, on the first states of every model.
//!
//! Here SPIN is not asked: the engine is the definition, and the code must not differ from it.

use anyhow::bail;
use clap::Args;
use pverify_model::load::load;
use pverify_native::compare::{Compared, compare};
use pverify_syntax::options::{LoadError, Loader, Options};

use super::{Corpus, Model, Shared, work};

/// How many states.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    shared: Shared,
    /// The most states of a model that are compared
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    states: usize,
}

struct Files;

impl Loader for Files {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, LoadError> {
        std::fs::read(path).map_err(|error| LoadError::Other(error.to_string()))
    }
}

/// Compares model by model; fails at a difference.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let shared = &arguments.shared;
    let corpus = Corpus::read(&shared.corpus, shared.only.as_deref())?;
    let models: Vec<&Model> = corpus.models.iter().collect();
    let answers = work::in_parallel(&models, shared.threads, |_, model| {
        let mut options = Options::default();
        for flag in &model.flags {
            if flag == "-o7" {
                options.optional_semicolons = false;
            } else if let Some(define) = flag.strip_prefix("-D") {
                let (name, value) = define.split_once('=').unwrap_or((define, "1"));
                options.defines.push((name.to_owned(), value.to_owned()));
            }
        }
        let loaded = load(&model.file.to_string_lossy(), &mut Files, &options);
        if loaded.has_errors() {
            return Ok(Ok(Compared::default()));
        }
        Ok(compare(&loaded.model, arguments.states))
    })?;
    let (mut compared, mut states, mut by_code, mut different) = (0, 0, 0, 0);
    for (model, answer) in models.iter().zip(answers) {
        match answer {
            Ok(one) => {
                compared += u32::from(one.states > 0);
                states += one.states;
                by_code += one.by_code;
            }
            Err(what) => {
                different += 1;
                println!("DIFFERENT  {}: {what}", model.name);
            }
        }
    }
    println!(
        "agree native: {states} states of {compared} models, {by_code} of them answered by code; \
         {different} models differ"
    );
    if different > 0 {
        bail!("{different} models differ");
    }
    Ok(())
}

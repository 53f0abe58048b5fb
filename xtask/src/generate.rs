//! `cargo xtask generate`: a big, plausible model that SPIN accepts, for measuring the front end.

mod model;

pub(crate) use model::model;

use clap::Args;

/// How big, and which one.
#[derive(Args)]
pub(crate) struct Arguments {
    /// About how many lines
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    lines: usize,
    /// The same seed writes the same model
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Writes the model to standard output.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    print!("{}", model(arguments.lines, arguments.seed));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_and_the_seed_are_kept() {
        for lines in [300, 3_000, 20_000] {
            let text = model(lines, 7);
            assert_eq!(text, model(lines, 7));
            let count = text.lines().count();
            assert!(count >= lines && count < lines + 400, "{count} lines for {lines}");
        }
        assert_ne!(model(500, 1), model(500, 2));
    }
}

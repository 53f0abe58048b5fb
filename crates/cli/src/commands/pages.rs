//! `pverify completions` and `pverify man`: what shells and `man` know of the command line, made of
//! the same definitions that read it.

use crate::arguments::program;
use crate::exit::Exit;
use crate::output;
use anyhow::{Result, bail};
use clap::Args;
use clap_complete::{Shell, generate};
use clap_mangen::Man as Page;

const SHELLS: &str = "\
Where they belong:
  bash  pverify completions bash > ~/.local/share/bash-completion/completions/pverify
  zsh   pverify completions zsh > _pverify, in a folder of $fpath
  fish  pverify completions fish > ~/.config/fish/completions/pverify.fish";

const PAGES: &str = "\
Examples:
  pverify man | man -l -          read it
  pverify man > pverify.1         save it, for a folder man1 of $MANPATH
  pverify man replay | man -l -   the page of a command";

/// Print completions for a shell.
#[derive(Clone, Copy, Debug, Args)]
#[command(after_help = SHELLS)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the manual page, of pverify or of one of its commands.
#[derive(Clone, Debug, Args)]
#[command(after_help = PAGES)]
pub(crate) struct Man {
    /// The command [default: pverify itself].
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Prints completions.
pub(crate) fn completions(arguments: &Completions) -> Result<Exit> {
    let mut text = Vec::new();
    generate(arguments.shell, &mut program(), "pverify", &mut text);
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Holds)
}

/// Prints a manual page.
pub(crate) fn man(arguments: &Man) -> Result<Exit> {
    let mut whole = program();
    whole.build();
    let page = match &arguments.command {
        None => Page::new(whole),
        Some(name) => match whole.find_subcommand(name) {
            // The name that `man` finds the page by.
            Some(command) => Page::new(command.clone()).title(format!("pverify-{name}")),
            None => bail!("there is no command `{name}`\nhelp: `pverify --help` lists them"),
        },
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Holds)
}

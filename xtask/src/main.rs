//! Every chore of the project, one subcommand each.

// A chore talks to the person who started it.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod agree;
mod bench;
mod browser;
mod ci;
mod figures;
mod formulas;
mod fuzz;
mod gallery;
mod generate;
mod memory;
mod service;
mod tidy;

use clap::Parser;
use std::process::ExitCode;

/// Every chore of the project, one subcommand each.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Chore {
    /// Run everything that a change must pass, as the continuous integration does
    Ci,
    /// Check the house rules that no compiler checks
    Tidy,
    /// Ask SPIN for a second opinion
    Agree(agree::Arguments),
    /// Measure speed and memory side by side with SPIN
    Bench(bench::Arguments),
    /// Look at the pages of reports in a browser without a window (chromium with its chromedriver)
    Browser(browser::Arguments),
    /// Redraw the figures of the papers from measurements (in release: it measures time)
    Figures(figures::Arguments),
    /// Translate a list of formulas and compare the automata with other tools'
    Formulas(formulas::Arguments),
    /// Feed the front end damaged models and report what makes it crash or hang
    Fuzz(fuzz::Arguments),
    /// Check what the headers of the gallery promise against SPIN
    Gallery(gallery::Arguments),
    /// Write a big, plausible model to standard output
    Generate(generate::Arguments),
    /// Measure whether --memory caps the whole process
    Memory(memory::Arguments),
    /// Compare a protocol with its service: on the fly, in bounded memory, and by building both graphs
    Service(service::Arguments),
}

fn main() -> ExitCode {
    let done = match Chore::parse() {
        Chore::Ci => ci::run(),
        Chore::Tidy => tidy::run(),
        Chore::Agree(arguments) => agree::run(arguments),
        Chore::Bench(arguments) => bench::run(&arguments),
        Chore::Browser(arguments) => browser::run(&arguments),
        Chore::Figures(arguments) => figures::run(&arguments),
        Chore::Formulas(arguments) => formulas::run(&arguments),
        Chore::Fuzz(arguments) => fuzz::run(arguments),
        Chore::Gallery(arguments) => gallery::run(&arguments),
        Chore::Generate(arguments) => generate::run(&arguments),
        Chore::Memory(arguments) => memory::run(&arguments),
        Chore::Service(arguments) => service::run(&arguments),
    };
    // What is wrong is for people; where in xtask it was noticed helps nobody.
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

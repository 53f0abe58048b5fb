//! A random model as a tree: coarse enough to write quickly, fine enough to cut parts out of it.
//!
//! A statement without inner statements is just its text. What can be cut (statements, options,
//! declarations, processes) is a place in the tree; every way to make a model one step smaller
//! is one [`smaller`] variant.

use std::fmt::Write;

/// A whole model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    /// Declarations, one a line, that others may need.
    pub(crate) globals: Vec<String>,
    pub(crate) processes: Vec<Process>,
}

/// A proctype or `init`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    /// `active [2] proctype P()`.
    pub(crate) head: String,
    pub(crate) declarations: Vec<String>,
    pub(crate) body: Vec<Piece>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Simple(String),
    /// `atomic { … }`, `d_step { … }`, `{ … }`.
    Block {
        keyword: &'static str,
        body: Vec<Piece>,
    },
    /// `if … fi`, `do … od`.
    Choice {
        opening: &'static str,
        closing: &'static str,
        options: Vec<Vec<Piece>>,
    },
    Unless {
        main: Vec<Piece>,
        escape: Vec<Piece>,
    },
}

impl Model {
    /// The text that SPIN and pverify read.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for global in &self.globals {
            let _ = writeln!(text, "{global}");
        }
        for process in &self.processes {
            let _ = writeln!(text, "{} {{", process.head);
            for declaration in &process.declarations {
                let _ = writeln!(text, "  {declaration}");
            }
            sequence(&mut text, &process.body, 1);
            text.push_str("}\n");
        }
        text
    }

    /// All models that are one cut smaller, the big cuts first.
    pub(crate) fn smaller(&self) -> Vec<Model> {
        let mut found = Vec::new();
        for index in 0..self.processes.len() {
            let mut model = self.clone();
            model.processes.remove(index);
            found.push(model);
        }
        for index in 0..self.processes.len() {
            for body in smaller(&self.processes[index].body) {
                let mut model = self.clone();
                model.processes[index].body = body;
                found.push(model);
            }
        }
        for index in 0..self.globals.len() {
            let mut model = self.clone();
            model.globals.remove(index);
            found.push(model);
        }
        for (index, process) in self.processes.iter().enumerate() {
            for declaration in 0..process.declarations.len() {
                let mut model = self.clone();
                model.processes[index].declarations.remove(declaration);
                found.push(model);
            }
        }
        found
    }
}

/// All sequences that are one cut smaller: without a piece, with a piece replaced by its parts,
/// or with a piece that is itself one cut smaller.
fn smaller(body: &[Piece]) -> Vec<Vec<Piece>> {
    let with = |index: usize, pieces: Vec<Piece>| {
        let mut shorter = body[..index].to_vec();
        shorter.extend(pieces);
        shorter.extend_from_slice(&body[index + 1..]);
        shorter
    };
    let mut found: Vec<Vec<Piece>> = (0..body.len()).map(|index| with(index, vec![])).collect();
    for (index, piece) in body.iter().enumerate() {
        for part in parts(piece) {
            found.push(with(index, part.clone()));
        }
        for shrunk in shrunk(piece) {
            found.push(with(index, vec![shrunk]));
        }
    }
    found
}

fn parts(piece: &Piece) -> Vec<&Vec<Piece>> {
    match piece {
        Piece::Simple(_) => vec![],
        Piece::Block { body, .. } => vec![body],
        Piece::Choice { options, .. } => options.iter().collect(),
        Piece::Unless { main, escape } => vec![main, escape],
    }
}

fn shrunk(piece: &Piece) -> Vec<Piece> {
    match piece {
        Piece::Simple(_) => vec![],
        Piece::Block { keyword, body } => {
            smaller(body).into_iter().map(|body| Piece::Block { keyword, body }).collect()
        }
        Piece::Choice { opening, closing, options } => {
            let choice = |options| Piece::Choice { opening, closing, options };
            let mut found = Vec::new();
            for index in 0..options.len() {
                if options.len() > 1 {
                    let mut fewer = options.clone();
                    fewer.remove(index);
                    found.push(choice(fewer));
                }
                for option in smaller(&options[index]) {
                    let mut options = options.clone();
                    options[index] = option;
                    found.push(choice(options));
                }
            }
            found
        }
        Piece::Unless { main, escape } => {
            let shorter_main = smaller(main)
                .into_iter()
                .map(|main| Piece::Unless { main, escape: escape.clone() });
            let shorter_escape = smaller(escape)
                .into_iter()
                .map(|escape| Piece::Unless { main: main.clone(), escape });
            shorter_main.chain(shorter_escape).collect()
        }
    }
}

/// An empty sequence is not allowed anywhere; `skip` stands for it.
fn sequence(text: &mut String, body: &[Piece], depth: usize) {
    if body.is_empty() {
        let _ = writeln!(text, "{}skip", "  ".repeat(depth));
    }
    for (index, piece) in body.iter().enumerate() {
        write_piece(text, piece, depth);
        text.push_str(if index + 1 < body.len() { ";\n" } else { "\n" });
    }
}

fn write_piece(text: &mut String, piece: &Piece, depth: usize) {
    let margin = "  ".repeat(depth);
    match piece {
        Piece::Simple(statement) => {
            let _ = write!(text, "{margin}{statement}");
        }
        Piece::Block { keyword, body } => {
            let _ = writeln!(text, "{margin}{keyword}{{");
            sequence(text, body, depth + 1);
            let _ = write!(text, "{margin}}}");
        }
        Piece::Choice { opening, closing, options } => {
            let _ = writeln!(text, "{margin}{opening}");
            for option in options {
                let _ = writeln!(text, "{margin}::");
                sequence(text, option, depth + 1);
            }
            let _ = write!(text, "{margin}{closing}");
        }
        Piece::Unless { main, escape } => {
            let _ = writeln!(text, "{margin}{{");
            sequence(text, main, depth + 1);
            let _ = writeln!(text, "{margin}}} unless {{");
            sequence(text, escape, depth + 1);
            let _ = write!(text, "{margin}}}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(text: &str) -> Piece {
        Piece::Simple(text.to_owned())
    }

    #[test]
    fn every_cut_is_smaller_and_the_last_is_empty() {
        let choice = Piece::Choice {
            opening: "if",
            closing: "fi",
            options: vec![vec![simple("a")], vec![simple("b"), simple("c")]],
        };
        let head = "active proctype P()".to_owned();
        let process =
            Process { head, declarations: vec!["byte x;".to_owned()], body: vec![choice] };
        let model = Model { globals: vec!["byte g;".to_owned()], processes: vec![process] };
        let mut at = model.clone();
        let mut cuts = 0;
        while let Some(next) = at.smaller().into_iter().next_back() {
            assert!(next.text().len() <= at.text().len() + "skip".len() * 2);
            at = next;
            cuts += 1;
            assert!(cuts < 20, "cutting ends");
        }
        assert_eq!(at.text(), "");
        assert!(model.smaller().iter().any(|model| !model.text().contains("if")));
    }
}

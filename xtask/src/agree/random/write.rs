//! Writes one random model from a seed: everything Promela has, in two or three small processes.
//!
//! What would make SPIN's search endless is left out or rare: numbers that grow, loops inside
//! `atomic` (SPIN follows them to its depth limit), processes that start others without limit.

use rand::SeedableRng;
use rand::rngs::StdRng;

use super::tree::{Model, Piece, Process};
use super::words::{Channel, Place, Words};

/// Blocks within blocks, at most.
const DEPTH: usize = 3;

/// The model of this seed; the same one every time.
pub(crate) fn model(seed: u64) -> Model {
    let words =
        Words { random: StdRng::seed_from_u64(seed), places: Vec::new(), channels: Vec::new() };
    let mut writer = Writer { words, around: Around::default(), labels: 0, locals: 0, child: None };
    writer.model()
}

/// What stands around the place that is written.
#[derive(Clone, Copy, Default)]
struct Around {
    depth: usize,
    in_loop: bool,
    in_atomic: bool,
    in_d_step: bool,
}

struct Writer {
    words: Words,
    around: Around,
    /// Labels of the process that is written: `L0`, `L1`, …
    labels: usize,
    /// Numbers the variables declared in the middle.
    locals: usize,
    /// How to start the process that others start, if there is one.
    child: Option<String>,
}

impl Writer {
    fn model(&mut self) -> Model {
        let mut globals = self.variables();
        globals.extend(self.global_channels());
        let mut processes = Vec::new();
        if self.words.chance(35) {
            let takes_channel = !self.words.channels.is_empty() && self.words.chance(50);
            let child = self.child(takes_channel);
            processes.push(child);
        }
        let count = 2 + self.words.below(2);
        for index in 0..count {
            let head = self.head(index);
            processes.push(self.process(head, vec![], if count == 2 { 5 } else { 3 }));
        }
        if self.child.is_some() && self.words.chance(40) {
            self.labels = 0;
            let run = self.run();
            let body = vec![run, self.statement()];
            processes.push(Process { head: "init".to_owned(), declarations: vec![], body });
        }
        Model { globals, processes }
    }

    fn variables(&mut self) -> Vec<String> {
        let mut globals = vec!["mtype = { red, green, blue };".to_owned()];
        let kinds = 1 + self.words.below(3);
        for _ in 0..kinds {
            let (declaration, places): (&str, &[(&str, u8, bool)]) = match self.words.below(9) {
                0 | 1 => ("byte g;", &[("g", 3, false)]),
                2 => ("bool flag;", &[("flag", 2, false)]),
                3 => ("mtype colour = green;", &[("colour", 0, true)]),
                4 => ("byte row[2];", &[("row[0]", 3, false), ("row[1]", 2, false)]),
                5 => (
                    "typedef Pair { byte first; bit second[2] }; Pair pair;",
                    &[("pair.first", 3, false), ("pair.second[1]", 2, false)],
                ),
                6 => ("short s = -1;", &[("s", 3, false)]),
                7 => ("unsigned u : 2 = 1;", &[("u", 3, false)]),
                _ => ("bit h[3];", &[("h[2]", 2, false)]),
            };
            if globals.iter().any(|global| global == declaration) {
                continue;
            }
            globals.push(declaration.to_owned());
            for (text, modulus, symbolic) in places {
                let text = (*text).to_owned();
                self.words.places.push(Place { text, modulus: *modulus, symbolic: *symbolic });
            }
            // An index that depends on the state, always inside.
            if declaration.starts_with("byte row") {
                // SPIN takes `a[a[0]] = 1` back at the wrong place.
                let index = self.words.value();
                let index = if index.contains("row") { "_nr_pr".to_owned() } else { index };
                let text = format!("row[({index}) & 1]");
                self.words.places.push(Place { text, modulus: 3, symbolic: false });
            }
        }
        globals
    }

    fn global_channels(&mut self) -> Vec<String> {
        let count = [0, 1, 1, 1, 2, 2][self.words.below(6)];
        (0..count).map(|index| self.channel(&format!("c{index}"))).collect()
    }

    /// Declares a channel and makes it known.
    fn channel(&mut self, name: &str) -> String {
        let capacity = [0, 0, 1, 1, 2][self.words.below(5)];
        let (types, fields) = match self.words.below(5) {
            0 | 1 => ("byte", vec![false]),
            2 => ("mtype", vec![true]),
            3 => ("mtype, byte", vec![true, false]),
            _ => ("bit, byte", vec![false, false]),
        };
        self.words.channels.push(Channel { name: name.to_owned(), capacity, fields });
        format!("chan {name} = [{capacity}] of {{ {types} }};")
    }

    fn head(&mut self, index: usize) -> String {
        let many = if self.words.chance(10) { " [2]" } else { "" };
        let mut head = format!("active{many} proctype P{index}()");
        // SPIN refuses priorities together with rendezvous.
        let buffered = self.words.channels.iter().all(|channel| channel.capacity > 0);
        if buffered && self.words.chance(6) {
            head += self.words.pick(&[" priority 2", " priority 3"]);
        }
        if self.words.chance(5) {
            let condition = self.words.condition();
            head += &format!(" provided ({condition})");
        }
        head
    }

    /// The process that others start while there are few.
    fn child(&mut self, takes_channel: bool) -> Process {
        let channel = self.words.channels.first().cloned();
        let head = match &channel {
            Some(_) if takes_channel => "proctype Child(byte v; chan q)",
            _ => "proctype Child(byte v)",
        };
        let before = (self.words.places.len(), self.words.channels.len());
        let text = "v".to_owned();
        self.words.places.push(Place { text, modulus: 3, symbolic: false });
        if let (Some(channel), true) = (&channel, takes_channel) {
            self.words.channels.push(Channel { name: "q".to_owned(), ..channel.clone() });
        }
        let process = self.process(head.to_owned(), vec![], 2);
        self.words.places.truncate(before.0);
        self.words.channels.truncate(before.1);
        self.child = Some(match channel {
            Some(channel) if takes_channel => format!(", {})", channel.name),
            _ => ")".to_owned(),
        });
        process
    }

    fn process(&mut self, head: String, mut declarations: Vec<String>, length: usize) -> Process {
        let before = (self.words.places.len(), self.words.channels.len());
        if self.words.chance(60) {
            let start = self.words.below(3);
            declarations.push(format!("byte x = {start};"));
            self.words.places.push(Place { text: "x".to_owned(), modulus: 3, symbolic: false });
        }
        if self.words.chance(8) {
            declarations.push(self.channel("own"));
        }
        self.labels = 1 + self.words.below(2);
        let mut body = Vec::new();
        let statements = 1 + self.words.below(length);
        for index in 0..statements.max(self.labels) {
            if index < self.labels {
                body.push(Piece::Simple(format!("L{index}: {}", self.words.assignment())));
                if self.words.chance(10) {
                    body.push(Piece::Simple(format!("end{index}: {}", self.words.receive())));
                }
            }
            body.push(self.statement());
        }
        self.words.places.truncate(before.0);
        self.words.channels.truncate(before.1);
        Process { head, declarations, body }
    }

    /// Statements inside `around`; names declared there end there.
    fn sequence(&mut self, around: Around, first: Option<Piece>, length: usize) -> Vec<Piece> {
        let outer = self.around;
        self.around = Around { depth: outer.depth + 1, ..around };
        let names = self.words.places.len();
        let mut body: Vec<Piece> = first.into_iter().collect();
        for _ in 0..self.words.below(length + 1) {
            body.push(self.statement());
        }
        if body.is_empty() {
            body.push(self.basic());
        }
        self.words.places.truncate(names);
        self.around = outer;
        body
    }

    fn statement(&mut self) -> Piece {
        let around = self.around;
        if around.depth >= DEPTH {
            return self.basic();
        }
        let in_block = around.in_atomic || around.in_d_step;
        match self.words.below(100) {
            0..50 => self.basic(),
            50..60 => self.choice("if", "fi"),
            60..70 if !in_block => self.choice("do", "od"),
            70..80 if !in_block => {
                let body = self.sequence(Around { in_atomic: true, ..around }, None, 4);
                Piece::Block { keyword: "atomic ", body }
            }
            80..86 if !around.in_d_step => {
                let first = self.words.chance(60).then(|| Piece::Simple(self.words.condition()));
                let inside = Around { in_d_step: true, in_loop: false, ..around };
                Piece::Block { keyword: "d_step ", body: self.sequence(inside, first, 3) }
            }
            86..93 if !around.in_d_step => {
                let main = self.sequence(around, None, 3);
                let guard = self.guard();
                let escape = self.sequence(around, Some(guard), 1);
                Piece::Unless { main, escape }
            }
            93..95 => {
                let keyword = self.words.pick(&["for (g : 0 .. 1) ", "for (x : 1 .. 2) "]);
                let name = &keyword[5..6];
                if self.words.places.iter().any(|place| place.text == name) {
                    let body = self.sequence(Around { in_loop: true, ..around }, None, 1);
                    return Piece::Block { keyword, body };
                }
                self.basic()
            }
            95..97 => Piece::Block { keyword: "", body: self.sequence(around, None, 2) },
            97.. if self.child.is_some() && !in_block => self.run(),
            _ => self.basic(),
        }
    }

    /// Starts a process if there are few.
    fn run(&mut self) -> Piece {
        let rest = self.child.clone().unwrap_or_default();
        let value = self.words.value();
        let guard = Piece::Simple("_nr_pr < 4".to_owned());
        let run = Piece::Simple(format!("run Child({value}{rest}"));
        Piece::Block { keyword: "atomic ", body: vec![guard, run] }
    }

    fn choice(&mut self, opening: &'static str, closing: &'static str) -> Piece {
        let in_loop = self.around.in_loop || opening == "do";
        let around = Around { in_loop, ..self.around };
        let count = 1 + self.words.below(3);
        let mut options = Vec::new();
        for _ in 0..count {
            let first = if self.words.chance(75) { Some(self.guard()) } else { None };
            options.push(self.sequence(around, first, 2));
        }
        if self.words.chance(30) || self.around.in_d_step {
            let first = Piece::Simple("else".to_owned());
            options.push(self.sequence(around, Some(first), 1));
        }
        if opening == "do" && self.words.chance(60) {
            let guard = self.guard();
            let leave = Piece::Simple("break".to_owned());
            options.push(if self.words.chance(40) { vec![leave] } else { vec![guard, leave] });
        }
        Piece::Choice { opening, closing, options }
    }

    /// A good first statement of an option: it may block.
    fn guard(&mut self) -> Piece {
        Piece::Simple(match self.words.below(10) {
            0..5 => self.words.condition(),
            5 | 6 => self.words.receive(),
            7 => self.words.send(),
            8 if !self.around.in_d_step => "timeout".to_owned(),
            8 => self.words.pick(&["skip", "true", "printm(red)", "_ = _nr_pr"]).to_owned(),
            _ => self.words.assignment(),
        })
    }

    /// A statement without inner ones.
    fn basic(&mut self) -> Piece {
        let around = self.around;
        let statement = match self.words.below(33) {
            0..9 => self.words.assignment(),
            9..15 => self.words.send(),
            15..20 => self.words.receive(),
            20..23 if !around.in_d_step => self.words.condition(),
            23 | 24 => format!("assert({})", self.words.condition()),
            25 => self.words.pick(&["skip", "printf(\"here\\n\")"]).to_owned(),
            26 if around.in_loop => "break".to_owned(),
            27 if !around.in_d_step && self.labels > 0 => {
                format!("goto L{}", self.words.below(self.labels))
            }
            28 => return self.local(),
            29 if !around.in_d_step && self.words.places.iter().any(|place| place.text == "g") => {
                "select (g : 0 .. 2)".to_owned()
            }
            30 => "printm(green)".to_owned(),
            31 => format!("_ = {}", self.words.value()),
            _ => self.words.assignment(),
        };
        Piece::Simple(statement)
    }

    /// A declaration in the middle: a step of its own.
    fn local(&mut self) -> Piece {
        self.locals += 1;
        let name = format!("t{}", self.locals);
        let declaration = match self.words.below(3) {
            0 => format!("byte {name}"),
            // No bit: with priorities SPIN masks the last bit of a process out of the state.
            1 => format!("byte {name} = 1"),
            _ => format!("byte {name} = {} % 3", self.words.value()),
        };
        self.words.places.push(Place { text: name, modulus: 2, symbolic: false });
        Piece::Simple(declaration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_one_model() {
        assert_eq!(model(7), model(7));
        assert_ne!(model(7), model(8));
    }

    #[test]
    fn every_construct_turns_up() {
        let all: String = (0..300).map(|seed| model(seed).text()).collect();
        for construct in [
            "atomic {",
            "d_step {",
            "unless {",
            "timeout",
            "else",
            "goto L",
            "break",
            "run Child(",
            "assert(",
            "!!",
            "??",
            "?<",
            "eval(",
            "_ = ",
            "?[",
            "typedef",
            "= [0] of",
            "= [2] of",
            "priority",
            "provided",
            "select (",
            "for (",
            "end0:",
            "printf(",
            "[2] proctype",
        ] {
            assert!(all.contains(construct), "no {construct} in 300 models");
        }
    }
}

//! Random bodies of processes, made of everything that shapes a control graph.

use rand::RngExt;
use rand::rngs::StdRng;

/// What the statements of every body use.
pub(crate) const PREAMBLE: &str = "\
mtype = { red, green };
typedef Pair { byte u; byte v[2] };
byte x, y, w;
bool f;
byte a[3];
Pair pair;
chan c = [2] of { byte };
chan r = [0] of { byte, byte };
chan s = [1] of { Pair };
inline assign(p, q) { p = q; if :: p > 1 -> skip :: else fi }
inline wait(p) { atomic { p > 0; p--; inside: x = p } }
inline leave(p) { if :: p -> goto out :: else -> p = 1 fi; out: skip }
inline loop(p) { do :: p > 3 -> break :: p++ od }
";

/// Blocks within blocks, at most.
const DEPTH: usize = 4;
/// Names of labels; those with a meaning are moved from jumps to skips.
const LABELS: [&str; 7] = ["L0", "L1", "L2", "L3", "end1", "accept1", "progress1"];

/// A body without its braces, and the labels that it sets.
pub(crate) struct Body {
    pub(crate) text: String,
    pub(crate) labels: Vec<&'static str>,
}

/// A body of a process, or of a claim, which neither assigns nor sends.
pub(crate) fn body(random: &mut StdRng, claim: bool) -> Body {
    let mut writer = Writer {
        random,
        text: String::new(),
        claim,
        unset: LABELS.to_vec(),
        set: Vec::new(),
        wanted: Vec::new(),
        loops: 0,
        in_d_step: false,
        names: 0,
    };
    writer.sequence(0);
    // Every jump finds its label.
    for label in writer.wanted.clone() {
        if !writer.set.contains(&label) {
            writer.set.push(label);
            writer.text.push_str(&format!(";\n  {label}: skip"));
        }
    }
    Body { text: writer.text, labels: writer.set }
}

struct Writer<'a> {
    random: &'a mut StdRng,
    text: String,
    claim: bool,
    unset: Vec<&'static str>,
    set: Vec<&'static str>,
    wanted: Vec<&'static str>,
    /// Loops around the place: `break` needs one.
    loops: usize,
    in_d_step: bool,
    /// Variables declared so far.
    names: usize,
}

impl Writer<'_> {
    fn chance(&mut self, one_in: u32) -> bool {
        self.random.random_range(0..one_in) == 0
    }

    fn pick(&mut self, words: &[&'static str]) -> &'static str {
        words[self.random.random_range(0..words.len())]
    }

    fn line(&mut self, depth: usize) {
        self.text.push('\n');
        self.text.push_str(&"  ".repeat(depth + 1));
    }

    fn sequence(&mut self, depth: usize) {
        let count = self.random.random_range(1..=4);
        for index in 0..count {
            if index > 0 {
                let separator = self.pick(&[";", ";", ";", " ->"]);
                self.text.push_str(separator);
            }
            self.line(depth);
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        // SPIN wants no label at the beginning of most blocks, nor jumps into a `d_step`.
        let unusual = self.text.trim_end().ends_with(['{', ':', '>']) || self.in_d_step;
        let rarity = if unusual { 60 } else { 5 };
        while self.chance(rarity) && !self.unset.is_empty() {
            let index = self.random.random_range(0..self.unset.len());
            let label = self.unset.remove(index);
            self.set.push(label);
            self.text.push_str(label);
            self.text.push_str(": ");
        }
        let kinds = if depth < DEPTH { 30 } else { 14 };
        match self.random.random_range(0..kinds) {
            0 => self.text.push_str("skip"),
            1..=2 => self.condition(),
            3..=6 => self.simple(),
            7 => self.text.push_str("printf(\"p\\n\")"),
            8..=9 => self.jump(),
            10 => self.leave(),
            11 => self.text.push_str("assert(x != 9)"),
            12 => self.declaration(),
            13 => self.call(),
            14..=17 => self.choice("if", "fi", depth),
            18..=20 => {
                self.loops += 1;
                self.choice("do", "od", depth);
                self.loops -= 1;
            }
            21..=22 => self.block("atomic ", depth),
            23 => {
                let outside = std::mem::replace(&mut self.in_d_step, true);
                let loops = std::mem::take(&mut self.loops);
                self.block("d_step ", depth);
                self.loops = loops;
                self.in_d_step = outside;
            }
            24 => self.block("", depth),
            25..=27 if !self.in_d_step || self.chance(30) => self.unless(depth),
            28 => self.for_loop(depth),
            _ => self.text.push_str("select (w : 1 .. 3)"),
        }
    }

    fn condition(&mut self) {
        let text = self.pick(&["x > 0", "f", "(y == 1)", "true", "false", "len(c) > 0", "timeout"]);
        self.text.push_str(text);
    }

    fn simple(&mut self) {
        if self.claim {
            return self.condition();
        }
        let text = self.pick(&[
            "x = 1",
            "y++",
            "a[x] = y",
            "c!1",
            "c?x",
            "c??2",
            "r!1,2",
            "r?x,y",
            "s!pair",
            "s?pair",
            "c?eval(x)",
            "pair.v[1] = 2",
            "x = (f -> 1 : 2)",
            "c?[1]",
            "c!!3",
            "c?<y>",
        ]);
        self.text.push_str(text);
    }

    fn jump(&mut self) {
        if self.in_d_step && !self.chance(12) {
            return self.condition();
        }
        let label = LABELS[self.random.random_range(0..LABELS.len())];
        if !self.wanted.contains(&label) {
            self.wanted.push(label);
        }
        self.text.push_str("goto ");
        self.text.push_str(label);
    }

    fn leave(&mut self) {
        if self.loops == 0 && !self.chance(50) {
            return self.simple();
        }
        self.text.push_str("break");
    }

    fn declaration(&mut self) {
        if !self.text.trim_end().ends_with([';', '{']) {
            return self.simple();
        }
        self.names += 1;
        let value = self.pick(&["", " = 1", " = x"]);
        self.text.push_str(&format!("byte local{}{value}", self.names));
    }

    fn call(&mut self) {
        if self.claim {
            return self.condition();
        }
        let text = self.pick(&["assign(x, 2)", "wait(y)", "leave(f)", "loop(w)"]);
        self.text.push_str(text);
    }

    fn choice(&mut self, open: &str, close: &str, depth: usize) {
        self.text.push_str(open);
        let count = self.random.random_range(1..=3);
        let otherwise = if self.chance(2) { self.random.random_range(0..count) } else { count };
        for index in 0..count {
            self.line(depth);
            self.text.push_str(":: ");
            if index == otherwise {
                self.text.push_str("else");
                if self.chance(3) {
                    continue;
                }
                self.text.push_str(" ->");
            }
            self.sequence(depth + 1);
        }
        self.line(depth);
        self.text.push_str(close);
    }

    fn block(&mut self, keyword: &str, depth: usize) {
        self.text.push_str(keyword);
        self.text.push('{');
        self.sequence(depth + 1);
        self.line(depth);
        self.text.push('}');
    }

    fn unless(&mut self, depth: usize) {
        for part in 0..2 {
            if part == 1 {
                self.text.push_str(" unless ");
            }
            match self.random.random_range(0..6) {
                0 => self.simple(),
                1 => self.block("atomic ", depth),
                2 => self.choice("if", "fi", depth),
                _ => self.block("", depth),
            }
        }
    }

    fn for_loop(&mut self, depth: usize) {
        let head = if self.claim {
            "for (w : 1 .. 2) "
        } else {
            self.pick(&["for (w : 1 .. x) ", "for (w in a) ", "for (pair in s) "])
        };
        self.loops += 1;
        self.block(head, depth);
        self.loops -= 1;
    }
}

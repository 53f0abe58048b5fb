//! A big, plausible model from a seed, shared with `benches/front_end.rs`.
//!
//! It has what long models have: macros, inlines, typedefs, channels, many proctypes with nested
//! choices, `atomic`, `d_step`, `unless`, loops and formulas. It is meant to be read, not to be verified.

use std::fmt::Write;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// SPIN's limit is 255; what a proctype does not hold goes into longer bodies.
const MAXIMAL_PROCTYPES: usize = 200;
/// Blocks within blocks, at most.
const DEPTH: usize = 4;

/// The whole text: at least `lines` lines, and at most a block more.
pub(crate) fn model(lines: usize, seed: u64) -> String {
    let mut writer =
        Writer { text: String::new(), lines: 0, random: StdRng::seed_from_u64(seed), loops: 0 };
    writer.line(0, &format!("/* {lines} lines from seed {seed} */"));
    writer.declarations();
    let share = (lines / MAXIMAL_PROCTYPES).max(100);
    let mut proctypes = 0;
    while writer.lines < lines && proctypes < MAXIMAL_PROCTYPES {
        writer.proctype(proctypes, share.min(lines - writer.lines));
        proctypes += 1;
    }
    writer.init(proctypes);
    writer.text
}

struct Writer {
    text: String,
    lines: usize,
    random: StdRng,
    /// How many loops are around the place: `break` needs one.
    loops: usize,
}

impl Writer {
    fn line(&mut self, depth: usize, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * depth);
        self.lines += 1;
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.random_range(0..bound)
    }

    fn declarations(&mut self) {
        for text in [
            "#define LIMIT 17",
            "#define next(i) ((i + 1) % 8)",
            "#define busy(i) (table[i].count > 0 && \\",
            "                 table[i].owner != 255)",
            "mtype = { request, grant, release, data, ack, nak };",
            "typedef Cell { byte owner; short count; bit parity[2] };",
            "Cell table[8];",
            "int total, level;",
            "byte turn[8];",
            "bool ready, done;",
            "mtype phase = request;",
            "chan link[8] = [4] of { mtype, byte, bit };",
            "chan meet = [0] of { byte, short };",
            "chan log = [16] of { mtype, int };",
            "ltl bounded { [] (level <= 255) }",
            "ltl answered { [] (ready -> <> done) }",
        ] {
            self.line(0, text);
        }
        for index in 0..20 {
            self.line(0, &format!("inline step{index}(who, amount) {{"));
            self.line(1, "total = total + amount;");
            self.line(1, &format!("turn[who] = next(turn[who]) + {index};"));
            self.line(1, "if");
            self.line(1, ":: busy(who) -> table[who].count--");
            self.line(1, ":: else -> table[who].parity[1] = !table[who].parity[1]");
            self.line(1, "fi");
            self.line(0, "}");
        }
    }

    fn proctype(&mut self, index: usize, share: usize) {
        let end = self.lines + share.saturating_sub(4);
        self.line(0, "");
        self.line(0, &format!("/* worker {index}: made up, but well-formed */"));
        self.line(0, &format!("proctype Worker{index}(byte me; chan out) {{"));
        self.line(1, "byte i, j; short sum; bit flag; mtype kind;");
        while self.lines < end {
            self.statement(1, true);
        }
        self.line(0, "done_label: skip");
        self.line(0, "}");
    }

    fn init(&mut self, proctypes: usize) {
        self.line(0, "init {");
        self.line(1, "atomic {");
        for index in 0..proctypes.min(100) {
            self.line(2, &format!("run Worker{index}({}, link[{}]);", index % 8, index % 8));
        }
        self.line(2, "ready = true");
        self.line(1, "}");
        self.line(0, "}");
    }

    /// One statement with its separator; `free`: not inside `d_step`, where jumps and
    /// blocking are errors.
    fn statement(&mut self, depth: usize, free: bool) {
        let compound = depth < DEPTH && self.below(3) == 0;
        if !compound {
            let text = self.simple(free);
            return self.line(depth, &format!("{text};"));
        }
        match self.below(if free { 8 } else { 2 }) {
            0 => self.choice(depth, free),
            1 => {
                let bound = 1 + self.below(7);
                self.line(depth, &format!("for (i : 0 .. {bound}) {{"));
                self.block(depth + 1, free);
                self.line(depth, "};");
            }
            2 | 3 => {
                self.loops += 1;
                self.line(depth, "do");
                self.options(depth, free);
                self.line(depth, ":: else -> break");
                self.line(depth, "od;");
                self.loops -= 1;
            }
            4 => {
                self.line(depth, "atomic {");
                self.block(depth + 1, free);
                self.line(depth, "};");
            }
            5 => {
                let loops = std::mem::take(&mut self.loops);
                // The `break` of a loop just before would be a jump into the sequence.
                self.line(depth, "sum = 0;");
                self.line(depth, "d_step {");
                self.block(depth + 1, false);
                self.line(depth, "};");
                self.loops = loops;
            }
            6 => {
                self.line(depth, "{");
                self.block(depth + 1, free);
                let guard = self.expression(1);
                self.line(depth, &format!("}} unless {{ ({guard}) -> sum = 0 }};"));
            }
            _ => self.choice(depth, free),
        }
    }

    fn choice(&mut self, depth: usize, free: bool) {
        self.line(depth, "if");
        self.options(depth, free);
        self.line(depth, ":: else -> skip");
        self.line(depth, "fi;");
    }

    fn options(&mut self, depth: usize, free: bool) {
        for _ in 0..1 + self.below(3) {
            let guard = self.expression(2);
            self.line(depth, &format!(":: ({guard}) ->"));
            self.block(depth + 1, free);
        }
    }

    fn block(&mut self, depth: usize, free: bool) {
        for _ in 0..1 + self.below(4) {
            self.statement(depth, free);
        }
        let text = self.assignment();
        self.line(depth, &text);
    }

    fn simple(&mut self, free: bool) -> String {
        let (slot, number) = (self.below(8), self.below(20));
        match self.below(if free { 12 } else { 4 }) {
            0..=2 => self.assignment(),
            3 => format!("assert({})", self.expression(1)),
            4 => format!("step{number}({slot}, {})", self.below(9)),
            5 => format!("link[{slot}]!data({number}, flag)"),
            6 => format!("link[{slot}]?kind(i, flag)"),
            7 => format!("out!{}, me, {}", ["request", "grant", "ack"][self.below(3)], slot % 2),
            8 => format!("link[{slot}]??eval(kind), j, _"),
            9 => format!("printf(\"worker %d at {number}: %d\\n\", me, sum)"),
            10 if self.loops > 0 => format!("if :: (sum > {number}) -> break :: else fi"),
            10 => format!("if :: (sum > {number}) -> goto done_label :: else fi"),
            _ => format!("({})", self.expression(2)),
        }
    }

    fn assignment(&mut self) -> String {
        let target =
            ["sum", "total", "level", "table[i % 8].count", "turn[me % 8]", "j"][self.below(6)];
        match self.below(4) {
            0 => format!("{target}++"),
            1 => format!(
                "{target} = ({} -> {} : {})",
                self.expression(1),
                self.below(9),
                self.below(9)
            ),
            _ => format!("{target} = {}", self.expression(2)),
        }
    }

    /// `depth` operators above each other; never a division, whose divisor might be zero.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            let number = self.below(30);
            return match self.below(8) {
                0 => "LIMIT".to_owned(),
                1 => format!("next({number})"),
                2 => format!("table[{}].count", number % 8),
                3 => format!("len(link[{}])", number % 8),
                4 => ["i", "j", "sum", "me", "_pid"][number % 5].to_owned(),
                5 => ["total", "level", "ready", "done"][number % 4].to_owned(),
                6 => format!("turn[(i + {number}) % 8]"),
                _ => number.to_string(),
            };
        }
        let operator =
            ["+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|"][self.below(13)];
        format!("({} {operator} {})", self.expression(depth - 1), self.expression(depth - 1))
    }
}

//! Random models that calculate: the values of their variables go where they like, but for the
//! conditions on the way.

/// A model for a seed.
pub(crate) fn model(seed: u64) -> String {
    let mut writer = Writer { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, depth: 0 };
    writer.model()
}

struct Writer {
    state: u64,
    depth: u32,
}

const GLOBALS: [&str; 6] = ["g", "h", "a[1]", "a[h & 1]", "t.b", "t.s[1]"];
const LOCALS: [&str; 4] = ["x", "y", "p", "u.b"];

impl Writer {
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) % limit
    }

    fn pick(&mut self, words: &[&str]) -> String {
        words[self.below(words.len() as u64) as usize].to_owned()
    }

    fn model(&mut self) -> String {
        let kinds = ["byte", "short", "int", "bit", "unsigned"];
        let mut declared = |name: &str| match &*self.pick(&kinds) {
            "unsigned" => format!("unsigned {name} : 3"),
            kind => format!("{kind} {name}"),
        };
        let (g, h, x, y) = (declared("g"), declared("h"), declared("x"), declared("y"));
        let (first, second) = (self.constant(), self.constant());
        let (capacity, other) = (self.below(3), self.below(3));
        let (p, q) = (self.sequence(5), self.sequence(4));
        let (argument, third) = (self.expression(&GLOBALS), self.expression(&GLOBALS));
        let more = if self.below(3) == 0 { format!("run P({third});") } else { String::new() };
        format!(
            "typedef T {{ byte b; short s[2] }}\nT t;\n{g} = {first};\n{h};\nbyte a[2] = 1;\n\
             chan c = [{capacity}] of {{ byte, short }};\nchan d = [{other}] of {{ byte, short }};\n\
             proctype P(byte p) {{\n  {x};\n  {y} = {second};\n  T u;\n  chan e = c;\n  {p}\n}}\n\
             active proctype Q() {{\n  {x};\n  {y} = p0;\n  byte p;\n  T u;\n  chan e = d;\n  {q}\n}}\n\
             init {{ atomic {{ run P({argument}); {more} g = 1 }} }}\n"
        )
        .replace("p0", "g")
    }

    fn sequence(&mut self, most: u64) -> String {
        let count = 1 + self.below(most);
        let statements: Vec<String> = (0..count).map(|_| self.statement()).collect();
        statements.join(";\n  ")
    }

    fn statement(&mut self) -> String {
        self.depth += 1;
        let nested = self.depth < 4;
        let statement = match self.below(if nested { 15 } else { 9 }) {
            0..=2 => format!("{} = {}", self.place(), self.expression(&[])),
            3 => format!("{}{}", self.place(), self.pick(&["++", "--"])),
            4 => self.condition(),
            5 => format!("{}!{},{}", self.channel(), self.expression(&[]), self.expression(&[])),
            6 => {
                let field = if self.below(3) == 0 { "_".to_owned() } else { self.place() };
                format!("{}?{},{field}", self.channel(), self.place())
            }
            7 => self.pick(&["e = c", "e = d", "skip", "assert(x < 3)"]),
            8 => format!("if :: {} :: else fi", self.condition()),
            9 => format!("atomic {{ {}; {} }}", self.condition(), self.simple(3)),
            10 => format!("atomic {{ {}; {} }}", self.condition(), self.waiting(4)),
            11 => format!("d_step {{ {}; {} }}", self.condition(), self.simple(3)),
            12 => {
                let (yes, no) = (self.sequence(2), self.sequence(2));
                format!("if\n  :: {} -> {yes}\n  :: else -> {no}\n  fi", self.condition())
            }
            13 => {
                let (body, condition) = (self.sequence(3), self.condition());
                format!("do\n  :: {condition} -> {body}\n  :: else -> break\n  od")
            }
            _ => format!("{{ {} }} unless {{ {} }}", self.sequence(2), self.condition()),
        };
        self.depth -= 1;
        statement
    }

    /// Statements that can stand in a `d_step`.
    fn simple(&mut self, most: u64) -> String {
        let count = 1 + self.below(most);
        let statements: Vec<String> = (0..count)
            .map(|_| match self.below(4) {
                0 => format!("{}{}", self.place(), self.pick(&["++", "--"])),
                1 => format!("if :: {} :: else -> {}++ fi", self.condition(), self.place()),
                _ => format!("{} = {}", self.place(), self.expression(&[])),
            })
            .collect();
        statements.join("; ")
    }

    /// Statements at which an `atomic` block may have to wait, or hand control over.
    fn waiting(&mut self, most: u64) -> String {
        let count = 1 + self.below(most);
        let statements: Vec<String> = (0..count)
            .map(|_| match self.below(4) {
                0 => self.condition(),
                1 => format!("{}!{},1", self.channel(), self.expression(&[])),
                2 => format!("{}?{},_", self.channel(), self.place()),
                _ => self.simple(1),
            })
            .collect();
        statements.join("; ")
    }

    fn channel(&mut self) -> String {
        self.pick(&["c", "c", "d", "e"])
    }

    fn place(&mut self) -> String {
        if self.below(2) == 0 { self.pick(&GLOBALS) } else { self.pick(&LOCALS) }
    }

    fn constant(&mut self) -> String {
        self.pick(&["0", "1", "2", "3", "5", "7", "8", "-1", "200"])
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.place(), self.expression(&[]));
        let comparison =
            format!("{left} {} {right}", self.pick(&["<", "<=", ">", ">=", "==", "!="]));
        match self.below(6) {
            0 => format!("(!({comparison}))"),
            1 => format!("({comparison} && {} < {})", self.place(), self.constant()),
            2 => format!("({comparison} || {} > {})", self.place(), self.constant()),
            3 => format!("({} < {})", self.place(), self.constant()),
            _ => format!("({comparison})"),
        }
    }

    /// An expression over some variables, or over all of them.
    fn expression(&mut self, variables: &[&str]) -> String {
        let mut operand = || match (self.below(2), variables) {
            (0, _) => self.constant(),
            (_, []) => self.place(),
            (_, some) => self.pick(some),
        };
        let (left, right) = (operand(), operand());
        match self.below(8) {
            0..=3 => left,
            4 => format!("({left} < {right} -> {left} + 1 : {right})"),
            _ => {
                let operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "=="];
                format!("({left} {} {right})", self.pick(&operators))
            }
        }
    }
}

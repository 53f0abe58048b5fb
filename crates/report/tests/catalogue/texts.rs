//! Texts that do not become a tree: files, the preprocessor, inlines, the grammar.

use crate::{Example, example};

/// One for each code of `syntax`.
pub(crate) fn examples() -> Vec<Example> {
    let mut all: Vec<_> = PLAIN.iter().map(|&(code, text)| example(code, text)).collect();
    all.extend(generated());
    all
}

/// What is too long or too strange to be written down.
fn generated() -> Vec<Example> {
    let deep = format!("init {{ byte x; x = {}1{} }}\n", "(".repeat(250), ")".repeat(250));
    let sum = vec!["x"; 1100].join("+\n");
    let mut macros = String::new();
    let mut inlines = String::new();
    for level in 0..20 {
        let next = level + 1;
        macros += &format!("#define M{level} M{next} M{next} M{next} M{next}\n");
        inlines += &format!("inline i{level}() {{ i{next}(); i{next}(); i{next}() }}\n");
    }
    vec![
        example("W0009", b"/* gr\xfc\xdfe */\ninit { skip }\n".to_vec()),
        example("E0010", deep),
        example("E0111", format!("{macros}init {{ M0 }}\n")),
        example("E0207", format!("{inlines}inline i20() {{ skip }}\ninit {{ i0() }}\n")),
        example("E0307", format!("byte x;\ninit {{ x = {sum} }}\n")),
    ]
}

const PLAIN: &[(&str, &str)] = &[
    ("E0001", "#include \"secret.h\"\ninit { skip }\n"),
    ("E0002", "byte x;   /* the counter\nbyte y;\ninit { skip }\n"),
    ("E0003", "init {\n  printf(\"done\\n);\n}\n"),
    ("E0004", "byte größe;\ninit { skip }\n"),
    ("E0005", "byte x;\ninit { x = 0x10 }\n"),
    ("E0006", "int x;\ninit { x = 99999999999 }\n"),
    ("W0007", "int x;\ninit { x = 4294967295 }\n"),
    ("E0008", "byte x;\ninit { x = 'ab' }\n"),
    ("W0011", "byte x, y;\ninit {\n  /* x = 1; /* set x */ y = 2; */\n}\n"),
    ("E0101", "#defne N 3\ninit { skip }\n"),
    ("E0102", "#define 3 N\ninit { skip }\n"),
    ("E0103", "#include \"common.h\"\ninit { skip }\n"),
    ("E0104", "#include \"circle.h\"\ninit { skip }\n"),
    ("E0105", "#ifdef DEBUG\n#define LOG(x) printf(x)\ninit { skip }\n"),
    ("E0106", "#else\n#define N 3\n#endif\ninit { skip }\n"),
    ("E0107", "#define ZERO 0\n#if 10 / ZERO\n#endif\ninit { skip }\n"),
    ("E0108", "#define MAX(a,b) (a > b -> a : b)\nbyte x;\ninit { x = MAX(x) }\n"),
    ("E0109", "#define SEND(x) c!x\nchan c = [1] of { byte };\ninit { SEND((1) }\n"),
    ("E0110", "#define CALL(f) f ## (1)\ninit { CALL(assert) }\n"),
    ("E0112", "#ifndef N\n#error N is not defined\n#endif\ninit { skip }\n"),
    ("W0113", "#warning N is larger than 5, this will take long\ninit { skip }\n"),
    ("W0114", "#define N 3\n#define N 4\nbyte x;\ninit { x = N }\n"),
    ("E0201", "chan c = [1] of { byte };\ninline send(c, byte x) { c!x }\ninit { send(c, 1) }\n"),
    ("E0202", "byte x;\ninline f() { skip }\ninline f() { x++ }\ninit { f() }\n"),
    ("E0203", "byte y;\ninline twice(x) { return 2*x }\ninit { y = twice }\n"),
    ("E0204", "byte x, y, t;\ninline swap(a, b) { t = a; a = b; b = t }\ninit { swap(x) }\n"),
    ("E0205", "byte x;\ninline down(n) { n > 0 -> n--; down(n) }\ninit { down(x) }\n"),
    ("E0206", "byte b;\ninline set(a, b) { a = b }\ninit { set(b, 3) }\n"),
    ("E0301", "byte x;\ninit { x = ; }\n"),
    ("E0302", "byte x, y;\ninit {\n  do\n  :: x > 0 y = 1\n  od\n}\n"),
    ("E0303", "byte x;\ninit {\n  do\n  :: x > 0 -> x--\n}\n"),
    ("E0304", "byte x;\ninit {\n  x = 1;\n  od\n}\n"),
    ("E0305", "chan c = [1] of { byte };\ninit { !full(c) }\n"),
    ("E0306", "byte p;\nltl safe { ([] p) == 1 }\ninit { p = 1 }\n"),
    ("E0308", "init {\n  L: byte x;\n  x = 1\n}\n"),
    ("E0309", "init {\n  do\n  ::\n  od\n}\n"),
    ("E0310", "byte x, y;\ninit {\n  if (x > 0) y = 1\n}\n"),
    ("E0311", "init { return 1 }\n"),
    ("E0312", "byte x, y;\ninit { x + 1 = y }\n"),
    ("E0313", "init {\n  mtype = { red, green };\n  skip\n}\n"),
    ("E0314", "int = { red, green };\ninit { skip }\n"),
    ("E0315", "chan c = [1] of { unsigned : 3 };\ninit { skip }\n"),
    ("E0316", "active proctype P(byte a = 1) { skip }\n"),
    ("E0317", "chan c = [1] of { byte };\nbyte a[len(c)];\ninit { skip }\n"),
    ("E0318", "active proctype P { skip }\n"),
    ("E0319", "byte x;\nx = 1;\ninit { skip }\n"),
    ("E0320", "bit len;\ninit { skip }\n"),
    ("E0321", "byte x;\ninit { x += 1 }\n"),
    ("E0322", "byte x;\ninit {\n  while (x > 0) { x-- }\n}\n"),
    ("E0323", "byte x;\ninit {\n  if\n  :: (x = 1) -> skip\n  fi\n}\n"),
    ("E0401", "byte x;\ninit { c_code { now.x = 2; } }\n"),
    ("E0402", "byte c;\ninit { STDIN?c }\n"),
];

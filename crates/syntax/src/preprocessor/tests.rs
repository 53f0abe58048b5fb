//! What remains after preprocessing, compared with what gcc leaves.

use super::*;
use crate::options::MemoryLoader;

struct Run {
    text: String,
    codes: Vec<&'static str>,
}

fn run(loader: MemoryLoader, options: &Options) -> Run {
    let mut loader = loader;
    let mut names = Interner::new();
    let mut sources = Sources::default();
    let mut diagnostics = Vec::new();
    let lexemes =
        preprocess("d/m.pml", &mut loader, options, &mut sources, &mut names, &mut diagnostics);
    let mut text = String::new();
    for lexeme in lexemes.unwrap_or_default() {
        let separator = match (lexeme.newline, lexeme.space) {
            (true, _) => "\n",
            (false, true) => " ",
            (false, false) => "",
        };
        text.push_str(separator);
        text.push_str(match lexeme.kind {
            Kind::Sign(sign) => sign.text(),
            Kind::Hash => "#",
            Kind::HashHash => "##",
            Kind::Ellipsis => "...",
            _ => names.name(lexeme.text),
        });
    }
    let codes = diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    Run { text: text.trim_start().to_owned(), codes }
}

/// The text that remains, white space reduced to one character, and the codes of what was wrong.
fn check(input: &str, expected: &str, codes: &[&str]) {
    let result = run(MemoryLoader::default().with("d/m.pml", input), &Options::default());
    assert_eq!((result.text.as_str(), &result.codes[..]), (expected, codes), "for {input:?}");
}

#[test]
fn macros_without_parameters() {
    check("#define N 3\nx = N;", "x = 3;", &[]);
    check("#define N\nx N y", "x y", &[]);
    check("#define N 3\n#undef N\nN", "N", &[]);
    check("#define A a + \\\n  b\nA", "a + b", &[]);
    check("#define N 3\n1..N 1 .. N", "1..N 1 .. 3", &[]);
    check("#define E\nx\nE y", "x\ny", &[]);
}

#[test]
fn macros_with_parameters() {
    check("#define F(a,b) [a|b]\nF(1,(2,3)) F (x,) F", "[1|(2,3)] [x|] F", &[]);
    check("#define F() f\nF() F( )", "f f", &[]);
    check("#define F(x) x\nF\n(1)\ny", "1\ny", &[]);
    check("#define F(a,b) a b\nF(1,\n2);", "1 2\n;", &[]);
    check("#define L(f,...) f(__VA_ARGS__)\nL(p,1,2) L(q)", "p(1,2) q()", &[]);
    check("#define L(f,a...) f(0,##a)\nL(p,1,2) L(q)", "p(0,1,2) q(0)", &[]);
    check("#define F (x)\nF(1)", "(x)(1)", &[]);
}

#[test]
fn expansion_ends_and_reads_on() {
    check("#define x x + y\n#define y x\nx", "x + x", &[]);
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g", &[]);
    check("#define f(x) x\n#define g f\ng(f(f(1)))", "1", &[]);
    check("#define N 2\n#define F(x) G(x)\n#define G(x) <x>\nF(N)", "<2>", &[]);
}

#[test]
fn texts_and_gluing() {
    check("#define S(x) #x\nS( a  +\"b\\n\" )", "\"a +\\\"b\\\\n\\\"\"", &[]);
    check("#define P(a,b) a##b c ## a\nP(x,1) P(,y)", "x1 cx y c", &[]);
    check("#define N 1\n#define P(a) a##N\nP(N)", "NN", &[]);
    check("#define P(a) a ## (\nP(x)", "x (", &["E0110"]);
    check("__LINE__\n__LINE__ __FILE__", "1\n2 \"d/m.pml\"", &[]);
}

#[test]
fn conditions() {
    let cases = [
        ("defined N && N == 3", true),
        ("defined(M) || !defined N", false),
        ("(N + 1) * 2 == 8 && 7 / 2 == 3 && 7 % 4 == 3", true),
        ("1 << 4 == 16 && (6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 3) == 5 && ~0 == -1", true),
        ("0 ? 1/0 : 0x10 == 16 && 010 == 8 && 'a' == 97 && 2L > 1u", true),
        ("unknown", false),
        ("0 && 1 / 0", false),
    ];
    for (condition, expected) in cases {
        let input = format!("#define N 3\n#if {condition}\nyes\n#else\nno\n#endif\n");
        check(&input, if expected { "yes" } else { "no" }, &[]);
    }
    check("#if 1 / 0\na\n#endif", "", &["E0107"]);
    check("#if 1 +\n#endif\n#if 2 3\n#endif\n#if\n#endif", "", &["E0107"; 3]);
    check(&format!("#if {}1{}\n#endif", "(".repeat(9999), ")".repeat(9999)), "", &["E0107"]);
    check(&format!("#if {}1\n#endif", "!".repeat(99_999)), "", &["E0107"]);
}

#[test]
fn branches() {
    check("#ifdef A\na\n#elif 1\nb\n#else\nc\n#endif\nd", "b\nd", &[]);
    check("#ifndef A\na\n#elif 1\nb\n#else\nc\n#endif", "a", &[]);
    check("#if 0\n#if 1\na\n#else\nb\n#endif\ndon't\n#endif\nc", "c", &[]);
    check("#if 1\na", "a", &["E0105"]);
    check("#else\na\n#endif", "a", &["E0106", "E0106"]);
    check("#if 1\n#else\n#else\n#endif", "", &["E0106"]);
}

#[test]
fn other_directives() {
    check("#error no\n#warning hm\n#pragma x\n#line 3\n# 12 \"f\"\n#\nx", "x", &["E0112", "W0113"]);
    check("#defne N\n", "", &["E0101"]);
    check("#define\n#define 3\n#define F(a\n#define F(a,a) a\n#ifdef\n#endif", "", &["E0102"; 5]);
    check("#define N 1\n#define N 1\n#define N 2\nN", "2", &["W0114"]);
    check("#define F(a) a\nF(1,2) x", "x", &["E0108"]);
    check("#define F(a) a\nF(1", "", &["E0109"]);
}

#[test]
fn includes() {
    let options = Options {
        include_directories: vec!["lib".into()],
        defines: vec![("N".into(), "7".into())],
        ..Options::default()
    };
    let loader = || {
        MemoryLoader::default()
            .with("d/a.h", "a N")
            .with("lib/b.h", "b")
            .with("d/x", "#include \"x\"")
    };
    let check = |input: &str, expected: &str, codes: &[&str]| {
        let result = run(loader().with("d/m.pml", input), &options);
        assert_eq!((result.text.as_str(), &result.codes[..]), (expected, codes), "for {input:?}");
    };
    check("#include \"a.h\"\n#include <b.h>\nc", "a 7\nb\nc", &[]);
    check("#include \"b.h\"", "b", &[]);
    check("#include <a.h>\n#include \"no.h\"\nc", "c", &["E0103", "E0103"]);
    check("#include a.h\n#include\n", "", &["E0102", "E0102"]);
    check("#include \"x\"", "", &["E0104"]);
}

#[test]
fn bombs_are_defused() {
    let chain = |last: &str| {
        let names: Vec<String> = (0..40).map(|index| format!("M{index}")).collect();
        let mut text: String = names
            .windows(2)
            .map(|pair| format!("#define {} {} {}\n", pair[0], pair[1], pair[1]))
            .collect();
        text.push_str(&format!("#define M39 {last}\nM0"));
        text
    };
    check(&chain("x"), "", &["E0111"]);
    check(&chain(""), "", &["E0111"]);
    let doubling: String =
        (0..60).map(|index| format!("#define D{index}(x) D{}(x##x)\n", index + 1)).collect();
    check(&format!("{doubling}D0(a)"), "", &["E0111"]);
    let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(9999), ")".repeat(9999));
    check(&nested, "", &["E0111"]);
}

#[test]
fn a_missing_file_has_a_place_too() {
    let result = run(MemoryLoader::default(), &Options::default());
    assert_eq!(result.codes, ["E0001"]);
}

//! Whole texts to words.

use super::*;
use crate::options::MemoryLoader;
use crate::token::{Sign, Token};
use proptest::prelude::*;

fn run(input: &[u8], options: &Options) -> (Tokens, Sources, Vec<Diagnostic>) {
    let mut loader = MemoryLoader::default().with("m.pml", input);
    let mut sources = Sources::default();
    let mut diagnostics = Vec::new();
    let tokens = tokenize("m.pml", &mut loader, options, &mut sources, &mut diagnostics);
    (tokens, sources, diagnostics)
}

fn render(tokens: &Tokens) -> String {
    let words: Vec<String> = tokens
        .tokens
        .iter()
        .map(|token| match token {
            Token::InlineBody => "call".to_owned(),
            // What only formulas have is told apart from its look-alikes.
            Token::Temporal(operator) => format!("~{}", operator.text()),
            other => other.to_string(),
        })
        .collect();
    words.join(" ")
}

fn check_all(input: &str, options: &Options, expected: &str, codes: &[&str]) {
    let (tokens, _, diagnostics) = run(input.as_bytes(), options);
    let found: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
    assert_eq!((render(&tokens).as_str(), &found[..]), (expected, codes), "for {input:?}");
    assert_eq!(tokens.tokens.len(), tokens.spans.len());
}

fn check(input: &str, expected: &str) {
    check_all(input, &Options::default(), expected, &[]);
}

fn check_wrong(input: &str, expected: &str, codes: &[&str]) {
    check_all(input, &Options::default(), expected, codes);
}

/// The body of a process.
fn check_body(input: &str, expected: &str) {
    check(&format!("init {{{input}}}"), &format!("init {{ {expected} }}"));
}

#[test]
fn words_and_signs() {
    check("a!!b??c::d..e", "a !! b ?? c :: d .. e");
    check("a! !b: :c", "a ! ! b : : c");
    check("1..N 0..5 a.5", "1 .. N 0 .. 5 a . 5");
    check("'a' '\\n' '\\\\' '\\0'", "97 10 92 48");
    check("a --> b <<= !!=", "a -> b <= !=");
    check("byte in; for (i in in) { in }", "byte in ; for ( i in in ) { in }");
    check("-2147483648", "- -2147483648");
    check("010", "10");
}

#[test]
fn wrong_characters() {
    check_wrong("a $ b", "a b", &["E0004"]);
    check_wrong("0x10 12abc", "0 12", &["E0005", "E0005"]);
    check_wrong("99999999999 4294967295", "2147483647 -1", &["E0006", "W0007"]);
    check_wrong("'ab' 'é' ''", "0 0 0", &["E0008"; 3]);
    check_wrong("\"ab\nc", "\"ab\" c", &["E0003"]);
    check_wrong("a /* b", "a", &["E0002"]);
    check_wrong("a */ b", "a b", &["W0011"]);
    check_wrong("x # y", "x y", &["E0004"]);
    check_wrong(&"$".repeat(9999), "", &["E0004"; 21]);
}

#[test]
fn line_ends_stand_for_semicolons() {
    check_body("x = 1\ny = 2\n", "x = 1 ; y = 2");
    check_body(
        "x = (1\n+ 2)\ny++\nz--\ngoto L\nL:\nskip\n",
        "x = ( 1 + 2 ) ; y ++ ; z -- ; goto L ; L : skip",
    );
    check_body("x =\n1", "x = 1");
    check_body("timeout\nbreak\nnp_\n", "timeout ; break ; np_");
    check_body("byte a[2]\nprintf(\"x\")\n", "byte a [ 2 ] ; printf ( \"x\" )");
    check_body("a /*\n*/ b \\\n c", "a ; b ; c");
    check("mtype = { a\nb }\nbyte x\nbyte y", "mtype = { a b } ; byte x byte y");
    check("typedef T { byte a\nbyte b\n}", "typedef T { byte a ; byte b }");
    check("proctype P()\n{ run P\n(1)\n}", "proctype P ( ) { run P ( 1 ) }");
}

#[test]
fn words_that_need_or_drop_semicolons() {
    check_body("if :: a -> b; :: else c fi; x", "if :: a -> b ; :: else ; c fi ; x");
    check_body("if :: a :: else fi", "if :: a :: else fi");
    check_body("if :: a\n:: else\nfi\n", "if :: a ; :: else ; fi");
    check_body("else\n-> x;", "else -> x");
    check_body("atomic { x } y", "atomic { x } ; y");
    check_body("{ x }\nunless { y }\nz", "{ x } unless { y } ; z");
    check_body("x;;y;;;z;->w", "x ; y ; ; z -> w");
    check_body("x;;}; {", "x ; } ; {");
    let old = Options { optional_semicolons: false, ..Options::default() };
    check_all("init { x = 1\ny\n{ a }\nb }", &old, "init { x = 1 y { a } ; b }", &[]);
}

#[test]
fn inlines_are_copied() {
    check(
        "inline f(a, b) { a = b\n c!a }\ninit { f(x, y + 1)\n z }",
        "init { call { x = y + 1 ; c ! x } ; z }",
    );
    check(
        "inline f() { skip } init { f(); x = f() }",
        "init { call { skip } ; x = call { skip } }",
    );
    check(
        "inline g(a) { a++ } inline f(a) { g(a); a } init { f(x) }",
        "init { call { call { x ++ } ; x } }",
    );
    check("init { f(1) } inline f(a) { a }", "init { f ( 1 ) }");
    check(
        "mtype = { m } inline f(m) { c!m } init { f(1) }",
        "mtype = { m } init { call { c ! m } }",
    );
    check("inline f(a) { timeout\n a } init { f(x) }", "init { call { timeout x } }");
}

#[test]
fn inlines_used_wrongly() {
    check_wrong("inline f(a) { f(a) } init { f(x) }", "init { call { skip } }", &["E0205"]);
    check_wrong("inline f(a) { a } init { f(x, y) }", "init { skip }", &["E0204"]);
    check_wrong("inline f(a) { a } init { f((x, y)) }", "init { skip }", &["E0204"]);
    check_wrong("inline f(a) { a } init { f(2 - -x) }", "init { skip }", &["E0204"]);
    check_wrong("inline f(a) { a } init { f(! !x) }", "init { skip }", &["E0204"]);
    check_wrong("inline f(a) { a } init { f(f(1)) }", "init { skip }", &["E0203"]);
    check_wrong("inline f(a) { a } byte f;", "byte f ;", &["E0203"]);
    check_wrong("inline f(a, b) { a = b } init { f(b, 1) }", "init { skip }", &["E0206"]);
    check_wrong("inline f(a) { a } init { f(a.x) }", "init { skip }", &["E0206"]);
    check_wrong(
        "inline f() { 1 } inline f() { 2 } init { f() }",
        "init { call { 2 } }",
        &["E0202"],
    );
    check_wrong("inline f(byte a) { a } init { x }", "init { x }", &["E0201"]);
    check_wrong("inline f(a) { a", "", &["E0201"]);
    check_wrong("inline", "", &["E0201"]);
    check_wrong("init { inline f(a) { a } x }", "init { x }", &["E0201"]);
    let mut bomb: String =
        (0..30).map(|i| format!("inline f{}() {{ f{i}(); f{i}() }}\n", i + 1)).collect();
    bomb = format!("inline f0() {{ skip }}\n{bomb}init {{ f30() }}");
    check_wrong(&bomb, "", &["E0207"]);
}

#[test]
fn inlines_are_counted() {
    let (tokens, _, _) = run(
        b"inline f(a, b) { a } inline g() { skip } init { f(1, 2); f(3, 4) }",
        &Options::default(),
    );
    let counts: Vec<_> = tokens
        .inlines
        .iter()
        .map(|inline| (&*inline.name, inline.parameters, inline.calls))
        .collect();
    assert_eq!(counts, [("f", 2, 2), ("g", 0, 0)]);
}

#[test]
fn formulas_have_their_own_words() {
    check(
        "ltl p { [](a -> <>b) <-> x U y }\nbyte U;",
        "ltl p { ~[] ( a ~-> ~<> b ) ~<-> x ~U y } byte U ;",
    );
    check(
        "ltl { always a implies eventually b until c release d weakuntil next e }",
        "ltl { ~[] a ~-> ~<> b ~U c ~V d ~W ~X e }",
    );
    check("ltl p { a [ ] < > X b[0] < 1 }", "ltl p { a [ ] < > ~X b [ 0 ] < 1 }");
    check("init { x; ltl p { [] y } z }", "init { x ; z } ltl p { ~[] y }");
    let mut sources = Sources::default();
    let mut diagnostics = Vec::new();
    let tokens = tokenize_formula("[] p -> X q", &mut sources, &mut diagnostics);
    assert_eq!(render(&tokens), "~[] p ~-> ~X q");
    let tokens = tokenize_expression("a[X] -> b", &mut sources, &mut diagnostics);
    assert_eq!(render(&tokens), "a [ X ] -> b");
}

#[test]
fn embedded_c_is_explained_once_and_stepped_over() {
    check_wrong(
        "c_decl { struct { int x; }; }\nc_state \"int x\" \"Global\"\nbyte y;",
        "byte y ;",
        &["E0401"; 2],
    );
    check_wrong(
        "init { c_code [x > 0] { s = \"}\"; c = '}'; 0x1f; $ } ; c_expr { x->y } -> x }",
        "init { skip ; 1 -> x }",
        &["E0401"; 2],
    );
    check_wrong("init { STDIN?c }", "init { STDIN ? c }", &["E0402"]);
}

#[test]
fn depth_is_limited() {
    for piece in ["(", "[", "{", "if :: ", "!", "- ", "~", "a: "] {
        check_wrong(&piece.repeat(100_000), "", &["E0010"]);
    }
    check_wrong(&format!("ltl p {{ {} }}", "[] ".repeat(100_000)), "", &["E0010"]);
}

#[test]
fn calls_without_end_are_read_once() {
    check_wrong(&format!("inline f(a) {{ a }} init {{ {}", "f(".repeat(50_000)), "", &["E0010"]);
}

#[test]
fn bytes_that_are_no_text() {
    let (tokens, _, diagnostics) = run(b"byte a; /* \xe9 */ byte b;", &Options::default());
    assert_eq!(render(&tokens), "byte a ; byte b ;");
    assert_eq!(diagnostics[0].code.id, "W0009");
    let (_, _, diagnostics) = run(b"byte \xe9;", &Options::default());
    assert_eq!(diagnostics[1].code.id, "E0004");
    check("", "");
    check("\u{feff}byte\r\na;\u{c}", "byte a ;");
}

#[test]
fn places_lead_back_through_macro_and_inline() {
    let text = "#define M x + 1\ninline f(a) { a = M }\ninit { f(yy) }";
    let (tokens, sources, _) = run(text.as_bytes(), &Options::default());
    let find = |wanted: &str| {
        let at = tokens.tokens.iter().position(|token| token.to_string() == wanted);
        tokens.spans[at.expect(wanted)]
    };
    assert_eq!(sources.text(find("yy")), "yy");
    assert!(!sources.in_inline(find("yy")));
    let names: Vec<&str> = sources.trace(find("x")).map(|expansion| &*expansion.name).collect();
    assert_eq!(names, ["M", "f"]);
    assert_eq!(sources.text(find("x")), "x");
    assert_eq!(sources.text(sources.outermost(find("x"))), "f(yy)");
    assert!(sources.in_inline(find("x")));
    let semicolon = run(b"init { ab\ncd }", &Options::default());
    let at = semicolon.0.tokens.iter().position(|token| *token == Token::Sign(Sign::Semicolon));
    let span = semicolon.0.spans[at.expect("one")];
    assert_eq!((span.start, span.end), (9, 9));
}

fn soup() -> impl Strategy<Value = String> {
    let words = [
        "#define ",
        "#undef ",
        "#if ",
        "#ifdef ",
        "#else\n",
        "#elif ",
        "#endif\n",
        "#include \"m.pml\"\n",
        "\n",
        " ",
        "M",
        "F",
        "G",
        "(",
        ")",
        ",",
        "x",
        "#",
        "##",
        "...",
        "__VA_ARGS__",
        "__LINE__",
        "defined",
        "inline ",
        "f",
        "g",
        "{",
        "}",
        "[",
        "]",
        "ltl ",
        "mtype ",
        "=",
        ";",
        "->",
        "else ",
        "proctype ",
        "init ",
        "c_code ",
        "c_track ",
        "\"a\"",
        "\"",
        "'",
        "'a'",
        "\\\n",
        "\\",
        "/*",
        "*/",
        "//",
        "1",
        "1..",
        "0x",
        "<",
        ">",
        "!",
        "-",
        ":",
        "for ",
        "in ",
        "é",
        "\u{fffd}",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..200)
        .prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        run(&bytes, &Options::default());
    }

    #[test]
    fn no_words_make_it_panic(text in soup()) {
        let (tokens, sources, diagnostics) = run(text.as_bytes(), &Options::default());
        for &span in tokens.spans.iter().chain(diagnostics.iter().map(|diagnostic| &diagnostic.span)) {
            sources.position(sources.outermost(span));
        }
        tokenize_formula(&text, &mut Sources::default(), &mut Vec::new());
    }
}

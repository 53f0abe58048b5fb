//! Every kind of diagnostic of this crate, with the text `pverify explain` shows.
//!
//! Numbers are never reused: 00xx files and characters, 01xx preprocessor, 02xx inlines,
//! 03xx grammar, 04xx embedded C and other things outside the language. (1xxx belong to `model`.)

use crate::diagnostic::Code;

/// Declares codes as statics and collects them in [`ALL`].
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal, $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, explanation: $explanation };)*
        /// Every code of this crate, by number.
        pub static ALL: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    UNEXPECTED_TOKEN = "E0301", "unexpected word or sign",
        "The text does not fit the grammar of Promela at this place. The message names what was\n\
         found and what could stand there instead.\n\n    x = ;        an expression is missing\n    \
         x = 1;       what was meant\n\nOften the mistake is just before the place shown.";
    MISSING_SEPARATOR = "E0302", "two statements without a separator",
        "Statements on one line are separated by `;` or `->`; both mean the same. At the end of a\n\
         line the separator may be left out.\n\n    :: x > 0 y = 1        wrong\n    \
         :: x > 0 -> y = 1     right";
    UNCLOSED = "E0303", "a construct without its end",
        "`{` is closed by `}`, `if` by `fi`, `do` by `od`. The place shown is the first word that\n\
         cannot stand inside the open construct; a label shows where it was opened.\n\n    \
         do :: x > 0 -> x--   }        wrong\n    do :: x > 0 -> x--   od }     right";
    STRAY_END = "E0304", "an end that closes nothing",
        "A `}`, `fi`, `od` or `::` stands where nothing is open that it could belong to. Either\n\
         it is too much, or the `{`, `if` or `do` above it is missing.\n\n    \
         x = 1; od               wrong\n    do :: x = 1 od          right";
    PROBE_OPERAND = "E0305", "`full`, `empty`, `nfull` or `nempty` under an operator",
        "These four questions to a channel may be combined by `&&`, `||` and parentheses only.\n\
         Each has its opposite, so that negation is never needed; SPIN needs to see them plainly\n\
         for its partial order reduction.\n\n    !full(c)            wrong\n    \
         nfull(c)            right\n    len(c) + 1          where a number is wanted";
    TEMPORAL_OPERAND = "E0306", "a temporal formula under an operator of arithmetic",
        "`[]`, `<>`, `X`, `U`, `V` and `W` say something of a whole run; they have no value that\n\
         could be compared or added. Temporal operators in front bind tightest.\n\n    \
         [] p == 1           is read as ([] p) == 1: wrong\n    [] (p == 1)         right";
    EXPRESSION_TOO_DEEP = "E0307", "an expression with too many levels",
        "An expression may have 1000 levels of operators, nested statements 300 labels. More is found\n\
         in generated text only, and would cost memory in every later stage.\n\nSplit the \
         expression: assign a part of it to a variable, or let the generator balance long sums.";
    LABELLED_DECLARATION = "E0308", "a label before a declaration",
        "A label marks a place to go to, so a statement must follow it. Declarations are no\n\
         statements: nothing happens there.\n\n    L: byte x; x = 1        wrong\n    \
         byte x; L: x = 1        right";
    EMPTY_SEQUENCE = "E0309", "a body or option without statements",
        "Braces, and each option of `if` and `do`, hold at least one statement.\n\n    \
         do :: od                wrong\n    do :: skip od           right";
    NO_OPTIONS = "E0310", "`if` or `do` without options",
        "The condition of an `if` is the first statement of an option, and an option begins with\n\
         `::`. When several options can be taken, any of them may be.\n\n    \
         if (x > 0) y = 1                              wrong\n    \
         if :: x > 0 -> y = 1 :: else -> skip fi       right";
    RETURN_OUTSIDE = "E0311", "`return` outside an inline that gives a value",
        "An inline may give a value when it is called as the right side of an assignment; its\n\
         `return e` then assigns `e`. Everywhere else `return` has no meaning.\n\n    \
         inline twice(a) { return a + a }\n    init { byte x; x = twice(2) }";
    NOT_A_VARIABLE = "E0312", "assigning or sending to something that is no variable",
        "Left of `=`, `++`, `--`, `!` and `?` stands a variable or channel, perhaps with an index\n\
         and fields, without parentheses.\n\n    (c)!1;  x + 1 = y        wrong\n    \
         c!1;    x = y - 1        right";
    LOCAL_MTYPE = "E0313", "`mtype` constants declared inside a process",
        "The names of `mtype` constants are known everywhere, so they are declared outside\n\
         processes. Variables of type `mtype` may be local.\n\n    mtype = { red, green };\n    \
         init { mtype light = red }";
    CONSTANTS_OF_OTHER_TYPE = "E0314", "a list of constants for a type other than `mtype`",
        "Only `mtype` is declared by listing its constants.\n\n    int = { a, b }             \
         wrong\n    mtype = { a, b }           right\n    int t[2] = { 1, 2 }        an array";
    UNSIGNED_FIELD = "E0315", "an `unsigned` field in a message",
        "The fields of a message have one of the types `bit`, `bool`, `byte`, `pid`, `short`,\n\
         `int`, `mtype`, `chan`, or a `typedef`. `unsigned` needs a width and has none there.\n\n    \
         chan c = [1] of { unsigned : 3 }      wrong\n    chan c = [1] of { byte }              right";
    INITIAL_PARAMETER = "E0316", "a parameter with an initial value",
        "A parameter takes its value from the `run` that starts the process (0 for `active`\n\
         processes).\n\n    proctype P(byte a = 1) { … }               wrong\n    \
         proctype P(byte a) { byte b = 1; … }       right";
    NOT_CONSTANT = "E0317", "a size that is not a constant",
        "The length of an array, the number of processes after `active` and the capacity of a\n\
         channel are calculated once, from numbers, `+ - * / %` and parentheses.\n\n    \
         byte a[len(c)]          wrong\n    #define N 4\n    byte a[N + 1]           right";
    NO_PARAMETERS = "E0318", "a proctype without a parameter list",
        "The parentheses after a proctype's name are needed even when it has no parameters.\n\n    \
         active proctype P { … }         wrong\n    active proctype P() { … }       right";
    STATEMENT_OUTSIDE = "E0319", "a statement outside processes",
        "Outside processes stand declarations, processes, claims and formulas. What is to be\n\
         done at the start belongs into `init`.\n\n    byte x; x = 1                  wrong\n    \
         byte x; init { x = 1 }         right\n    byte x = 1                     right";
    KEYWORD_AS_NAME = "E0320", "a reserved word used as a name",
        "Promela reserves words such as `len`, `full`, `run`, `timeout`, `local` and `show`;\n\
         variables, labels and processes need other names.\n\n    bit len;            wrong\n    \
         bit length;         right";
    FOREIGN_SIGN = "E0321", "a sign from another language",
        "Some signs of other languages do not exist in Promela, or mean something else.\n\n    \
         x := 1         x = 1\n    x += 1         x = x + 1\n    a => b         a -> b\n    \
         a =< b         a <= b\n    c!(a,b)        c!a,b";
    FOREIGN_CONSTRUCT = "E0322", "a construct from another language",
        "Loops and choices are `do` and `if` with options; there are no functions, but `inline`\n\
         pastes text and `run` starts processes.\n\n    while (x) { … }        \
         do :: x -> … :: else -> break od\n    if … else if …         if :: … :: … :: else -> … fi\n    \
         f(x)                   inline f(a) { … } above the call";
    ASSIGNMENT_IN_EXPRESSION = "E0323", "`=` inside an expression",
        "`=` assigns, and is a statement of its own; `==` compares.\n\n    \
         :: (x = 1) -> …        wrong\n    :: (x == 1) -> …       right";
}

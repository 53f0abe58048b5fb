//! Every kind of diagnostic of this crate, with the text `pverify explain` shows.
//!
//! Numbers are never reused: 00xx files and characters, 01xx preprocessor, 02xx inlines,
//! 03xx grammar, 04xx embedded C and other things outside the language, 05xx communicating
//! machines. (1xxx belong to `model`.)

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
    CANNOT_READ_FILE = "E0001", "a file cannot be read",
        "The file does not exist, is a folder, or may not be read by you.\n\n\
         Check the path; a path is relative to the folder in which pverify was started, that of \
         an #include to the file that includes it.";
    UNTERMINATED_COMMENT = "E0002", "a comment has no end",
        "A comment that begins with /* ends with the next */. Without one, the rest of the file \
         is comment.\n\n\
         \x20   byte x;   /* the counter\n\
         \x20   byte y;\n\n\
         Close the comment where it should end. Comments do not nest: the first */ ends it.";
    UNTERMINATED_TEXT = "E0003", "a text or character has no end",
        "A text stands between two \" and a character between two ', both on one line.\n\n\
         \x20   printf(\"done\\n);\n\n\
         Add the missing quote. A quote inside a text is written \\\".";
    STRAY_CHARACTER = "E0004", "a character that means nothing",
        "Promela uses letters, digits, _ and the signs of its operators; other characters may \
         stand only in comments and texts.\n\n\
         \x20   byte größe;\n\n\
         Remove the character or replace it. Typographic quotes and dashes, which word \
         processors like to put in, are a frequent cause.";
    LETTERS_IN_NUMBER = "E0005", "letters directly behind a number",
        "Numbers are decimal, and a name cannot begin with a digit. SPIN reads 0x10 as the number \
         0 and the name x10, which is never what was meant.\n\n\
         \x20   x = 0x10;    2nd = true;\n\n\
         Write the number in decimal (16), or begin the name with a letter (second).";
    NUMBER_TOO_LARGE = "E0006", "a number that does not fit into 32 bits",
        "All arithmetic of Promela is done in 32-bit integers; the largest is 2147483647. SPIN \
         silently cuts off larger numbers, so the model would not do what it says.\n\n\
         \x20   x = 99999999999;\n\n\
         Use a smaller number; a model rarely needs large ones.";
    NUMBER_WRAPS = "W0007", "a number is read as a negative one",
        "Numbers from 2147483648 to 4294967295 fit into 32 bits only as negative integers, and \
         that is how SPIN reads them.\n\n\
         \x20   x = 4294967295;     is     x = -1;\n\n\
         Write the negative number if that is meant, a smaller one otherwise.";
    BAD_CHARACTER = "E0008", "not a character constant",
        "Between two ' stands one ASCII character, or \\ and one character.\n\n\
         \x20   x = 'ab';    y = '\\x41';\n\n\
         Write one character, or its number (65).";
    NOT_UTF8 = "W0009", "a file is not UTF-8",
        "The file contains bytes that are not UTF-8 text; often it was saved as Latin-1. In \
         comments and texts that does no harm, anywhere else it is an error.\n\n\
         Convert it: iconv -f latin1 -t utf8 old.pml > new.pml";
    TOO_DEEP = "E0010", "nested too deep",
        "Parentheses, braces, if and do can be nested 200 deep, and 200 operators can stand \
         before one operand. No model written by hand comes near that.\n\n\
         A generated model should give parts of an expression names, with variables or inlines.";
    COMMENT_END = "W0011", "*/ without a comment",
        "Comments do not nest, so the first */ ends a comment and a second one means nothing; like \
         SPIN, pverify ignores it.\n\n\
         \x20   /* x = 1; /* set x */ y = 2; */\n\n\
         Here y = 2 is not comment. Use #if 0 and #endif to switch off text that has comments.";
    UNKNOWN_DIRECTIVE = "E0101", "an unknown directive",
        "A line that begins with # is an instruction to the preprocessor.\n\n\
         \x20   #defne N 3\n\n\
         Correct the spelling: #define, #undef, #include, #if, #ifdef, #ifndef, #elif, #else, \
         #endif, #error, #warning, #line, #pragma.";
    BAD_DIRECTIVE = "E0102", "a directive that is not complete",
        "The directive lacks its name, its parameters or its file.\n\n\
         \x20   #define 3 N        a macro needs a name\n\
         \x20   #define F(x x+1    the parameters have no end\n\
         \x20   #include file      a file name stands in quotes\n\n\
         Write #define N 3, #define F(x) x+1, #include \"file\".";
    INCLUDE_NOT_FOUND = "E0103", "an included file was not found",
        "#include \"file\" looks beside the file that contains it and then in the folders given \
         with -I; #include <file> looks in those folders only.\n\n\
         \x20   #include \"common.h\"\n\n\
         Correct the name, or name the folder: pverify -I folder model.pml";
    INCLUDE_CYCLE = "E0104", "files include each other without end",
        "A file includes itself, directly or through others, and nothing stops it.\n\n\
         Put a guard around its text:\n\n\
         \x20   #ifndef COMMON_H\n\
         \x20   #define COMMON_H\n\
         \x20   ...\n\
         \x20   #endif";
    UNTERMINATED_IF = "E0105", "#if without #endif",
        "Every #if, #ifdef and #ifndef needs an #endif in the same file.\n\n\
         \x20   #ifdef DEBUG\n\
         \x20   #define LOG(x) printf(x)\n\n\
         Add #endif where the conditional text ends.";
    UNMATCHED_BRANCH = "E0106", "#else, #elif or #endif in the wrong place",
        "These belong to an #if before them in the same file, and nothing but #endif can follow \
         #else.\n\n\
         \x20   #else\n\
         \x20   #define N 3\n\
         \x20   #endif\n\n\
         Add the missing #if, or remove the line.";
    BAD_CONDITION = "E0107", "a condition that cannot be evaluated",
        "The condition of #if is an integer expression of C: numbers, macros, defined(NAME) and \
         operators. A name that is no macro counts as 0.\n\n\
         \x20   #if N >\n\
         \x20   #if 10 / ZERO\n\n\
         Complete the expression, and do not divide by zero.";
    MACRO_ARGUMENTS = "E0108", "a macro is called with the wrong number of arguments",
        "A macro must get as many arguments as it has parameters.\n\n\
         \x20   #define MAX(a,b) (a > b -> a : b)\n\
         \x20   x = MAX(y)\n\n\
         Commas inside parentheses do not separate arguments, others do: put parentheses around \
         an argument that contains one.";
    UNTERMINATED_CALL = "E0109", "the call of a macro has no end",
        "The arguments of a macro end with the ) that belongs to the ( behind its name. The file \
         ended before.\n\n\
         \x20   #define SEND(x) c!x\n\
         \x20   SEND((1)\n\n\
         Count the parentheses of the call and add the missing one.";
    BAD_PASTE = "E0110", "## does not make one word",
        "In the text of a macro, a ## b makes one word of two. It works only where the result is \
         one name, number or sign.\n\n\
         \x20   #define CALL(f) f ## ()\n\n\
         Leave out ##: words may simply stand beside each other.";
    EXPANSION_TOO_LARGE = "E0111", "macros or includes make the model too large",
        "Macros that use each other several times grow exponentially.\n\n\
         \x20   #define A B B B B\n\
         \x20   #define B C C C C\n\
         \x20   #define C D D D D      and so on\n\n\
         Check that each macro does what its author meant.";
    ERROR_DIRECTIVE = "E0112", "the model says #error",
        "The author of the model put #error where the model must not be used as it is, mostly \
         because a definition is missing.\n\n\
         \x20   #ifndef N\n\
         \x20   #error N is not defined\n\
         \x20   #endif\n\n\
         Do what the text says, for example with -D N=3.";
    WARNING_DIRECTIVE = "W0113", "the model says #warning",
        "The author of the model wants you to read this text; nothing is wrong with the model \
         itself.\n\n\
         \x20   #warning N is larger than 5, this will take long";
    MACRO_REDEFINED = "W0114", "a macro is defined twice, differently",
        "From the second definition on, the name means something else.\n\n\
         \x20   #define N 3\n\
         \x20   #define N 4\n\n\
         Remove one of them. If the first is only a default, write #ifndef N, #define N 3, \
         #endif; if the change is meant, write #undef N in between.";
    BAD_INLINE = "E0201", "an inline that is not well formed",
        "An inline has a name, parameters in parentheses (names only, no types), and a body in \
         braces; it stands outside all proctypes.\n\n\
         \x20   inline send(c, byte x) { c!x }\n\n\
         Write inline send(c, x) { c!x }.";
    INLINE_REDEFINED = "E0202", "two inlines of the same name",
        "Each inline needs a name of its own.\n\n\
         \x20   inline f() { skip }\n\
         \x20   inline f() { x++ }\n\n\
         Rename one of them.";
    BAD_INLINE_USE = "E0203", "an inline where none can be called",
        "A call of an inline is a statement, or stands on the right of an assignment alone; its \
         name can mean nothing else, and it cannot be an argument of another call.\n\n\
         \x20   inline twice(x) { return 2*x }\n\
         \x20   y = twice;    g(twice(3));\n\n\
         Write y = twice(3); g(y).";
    INLINE_ARGUMENTS = "E0204", "an inline is called with arguments that do not fit",
        "An inline must get as many arguments as it has parameters.\n\n\
         \x20   inline swap(a, b) { t = a; a = b; b = t }\n\
         \x20   swap(x)\n\n\
         Give all arguments. An argument cannot contain a comma, not even in parentheses; and SPIN\n\
         copies it without its blanks, so that 2 - -x must be written 2 - (-x).";
    RECURSIVE_INLINE = "E0205", "an inline calls itself",
        "An inline is copied to the place where it is called, so it cannot call itself, not even \
         through others.\n\n\
         \x20   inline down(n) { n > 0 -> n--; down(n) }\n\n\
         Write a loop, or a proctype that is started with run.";
    INLINE_CLASH = "E0206", "an argument contains the name of a parameter",
        "Parameters are replaced as text, and SPIN refuses calls in which an argument is named \
         like another parameter, or a parameter's name touches the dot of a structure.\n\n\
         \x20   inline set(a, b) { a = b }\n\
         \x20   set(b, 3)\n\n\
         Give the parameters names that are used nowhere else: inline set(set_a, set_b).";
    INLINES_TOO_LARGE = "E0207", "inlines make the model too large",
        "Each call copies the body, so inlines that call each other several times grow \
         exponentially.\n\n\
         \x20   inline a() { b(); b() }\n\
         \x20   inline b() { c(); c() }      and so on\n\n\
         Use loops, or proctypes.";
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
    FOREIGN_SIGN = "E0321", "a sign that Promela does not have",
        "Some signs of other languages do not exist in Promela, or mean something else.\n\n    \
         x := 1         x = 1\n    x += 1         x = x + 1\n    a => b         a -> b\n    \
         a =< b         a <= b\n    c!(a,b)        c!a,b";
    FOREIGN_CONSTRUCT = "E0322", "something that Promela does not have",
        "Loops and choices are `do` and `if` with options; there are no functions, but `inline`\n\
         pastes text and `run` starts processes.\n\n    while (x) { … }        \
         do :: x -> … :: else -> break od\n    if … else if …         if :: … :: … :: else -> … fi\n    \
         f(x)                   inline f(a) { … } above the call";
    ASSIGNMENT_IN_EXPRESSION = "E0323", "`=` inside an expression",
        "`=` assigns, and is a statement of its own; `==` compares.\n\n    \
         :: (x = 1) -> …        wrong\n    :: (x == 1) -> …       right";
    EMBEDDED_C = "E0401", "embedded C",
        "c_code, c_expr, c_decl, c_state and c_track put C text into the verifier that SPIN \
         generates. pverify generates no C, and it could not know which data the C text reads and \
         changes, so its answers would be worth nothing.\n\n\
         \x20   c_code { now.x = now.x * 2; }\n\n\
         Model the effect in Promela: d_step { x = x * 2 }. Data that C kept outside the state \
         becomes variables of the model, or is left out.";
    STDIN = "E0402", "reading from the keyboard",
        "STDIN?x reads a character from the keyboard while SPIN simulates. A verification looks at \
         all runs and has nobody to type.\n\n\
         \x20   STDIN?c\n\n\
         Let a process choose the input instead: if :: c = 'y' :: c = 'n' fi.";
    MACHINES_FORM = "E0501", "a text that is no system of communicating machines",
        "Three formats are read. In .scm files machines share numbered channels:\n\n\
         \x20   scm connection :\n    nb_channels = 2 ;\n    parameters :\n    real open ;\n\
         \x20   automaton sender :\n    initial : 0\n    state 0 :\n    to 1 : when true , 0 ! open ;\n\n\
         In .fsa and .fsm files there is a channel for each ordered pair of machines, and a partner \
         is named by its name or number:\n\n\
         \x20   .outputs A\n    .state graph\n    q0 B ! open q1\n    .marking q0\n    .end\n\n\
         Session types (--language kmc) say the same in one line:\n\n\
         \x20   A: rec x . B!open; { B?yes; x, B?no; end }";
    MACHINES_BEYOND = "E0502", "a part of communicating machines that is not read",
        "The .scm format has variables of machines, conditions on them (`when x > 0`) and \
         assignments (`with x = x + 1`). pverify reads machines without them; a condition is `true`.\n\n\
         \x20   to 1 : when x > 0 , 0 ! a with x = x - 1 ;\n\n\
         Write the values of the variable as states of the machine, or write the system in Promela, \
         where machines have variables.";
    TRANSITIONS_FORM = "E0601", "a text that is no labelled transition system",
        "The first line of an .aut file says in which state the system starts, how many transitions \
         and how many states there are; every other line is a transition: the state it starts in, its \
         label, the state it leads to. A label with commas or spaces stands in double quotes.\n\n\
         \x20   des (0, 3, 2)\n    (0, \"send !1\", 1)\n    (1, \"receive !1\", 0)\n    (1, tau, 1)\n\n\
         What is not observed is called `i` or `tau`.";
    TRANSITIONS_STATE = "E0602", "a state that a transition system does not have",
        "The states of an .aut file are numbered from 0, and its first line says how many there are.\n\n\
         \x20   des (0, 1, 2)\n    (0, a, 2)      wrong: the states are 0 and 1\n    (0, a, 1)      right";
    TRANSITIONS_COUNT = "E0603", "another number of transitions than announced",
        "The first line of an .aut file says how many transitions follow. If there are fewer or more, a \
         part of the file may be missing, or two files have become one; an answer about the rest would \
         be worth nothing.\n\n\
         \x20   des (0, 2, 2)      two are announced\n    (0, a, 1)          and one is there";
}

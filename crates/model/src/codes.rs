//! Every kind of diagnostic of this crate, with the text `pverify explain` shows.
//!
//! Numbers are never reused: E10xx errors, W11xx warnings, 13xx systems of machines.

use pverify_syntax::diagnostic::Code;

/// Declares codes as statics and collects them in [`ALL`].
macro_rules! codes {
    ($($name:ident = $id:literal, $title:literal, $explanation:literal;)*) => {
        $(#[doc = $title] pub static $name: Code =
            Code { id: $id, title: $title, explanation: $explanation };)*
        /// Every code of this crate, by number.
        pub static ALL: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    UNDECLARED = "E1001", "a name that is not declared",
        "A name must be declared before it is used, at the top of the file or of the process, or in a block
around the place of use.

    init { x = 1 }              // x is not declared
    init { byte x; x = 1 }      // now it is";
    REDECLARED = "E1002", "a name that is declared twice",
        "SPIN 6 does not let an inner block, or a process, declare a name again that is visible there already.
pverify follows, so that both tools read a model alike.

    byte x;
    init { byte x; skip }       // a second x: choose another name";
    NAME_TAKEN = "E1003", "a name that means something else already",
        "The constants of an `mtype`, the names of proctypes and typedefs, and the names of the language are
words of their own from their declaration on: no variable, label or field can have such a name.

    mtype = { ack };
    init { byte ack; skip }     // ack is a constant";
    UNKNOWN_TYPE = "E1004", "a type that is not declared",
        "A `typedef` must stand before the first variable of its type.

    typedef Message { byte from; byte to };
    Message m;";
    NOT_CONSTANT = "E1005", "a value that must be constant",
        "The length of an array, the capacity of a channel and the number of active processes must be known
beforehand: numbers, `mtype` constants, + - * / % and parentheses. Use a macro for a name:

    #define N 4
    byte a[N + 1];";
    BAD_ARRAY = "E1006", "an array whose length or values do not fit",
        "An array has at least one element, and a list of initial values has at most one for each.

    byte a[3] = { 1, 2, 3 };";
    BAD_WIDTH = "E1007", "a width that does not fit",
        "Only `unsigned` has a width, from 1 to 31 bits.

    unsigned counter : 5 = 0;   // 0 to 31";
    NOT_A_CHANNEL = "E1008", "something that is not a channel",
        "A channel is declared with `chan`, and only channels are given `[n] of { … }`, `xr` or `xs`.

    chan c = [2] of { byte };";
    HIDDEN = "E1009", "a variable that cannot be hidden",
        "`hidden` takes a global variable out of the state. It makes no sense for locals, for channels, for a
single bit (SPIN packs bits together), nor for `mtype` declarations. Remove the word.";
    WHOLE_STRUCTURE = "E1010", "a whole structure where one value is needed",
        "A variable of a `typedef` can be sent, received and passed to a process as a whole; everywhere else one
of its fields must be named.

    m.from = 1                  // not: m = 1";
    MISSING_INDEX = "E1011", "an array without an index",
        "An array is used element by element.

    byte a[3];
    init { a[0] = 1 }           // not: a = 1";
    INDEX_OF_SCALAR = "E1012", "an index on something that is no array",
        "Only arrays have elements. Remove the index or declare the variable with a length.";
    NO_SUCH_FIELD = "E1013", "a field that does not exist",
        "The structure has no field of this name. The message lists those it has.";
    ARRAY_OF_STRUCTURES = "E1014", "an array of structures inside a message",
        "A structure that holds an array of structures cannot be sent or passed as a whole. Send the fields.";
    READ_OF_UNDERSCORE = "E1015", "reading `_`",
        "`_` swallows a value; it has none to give.

    c?_,x                       // the first field is not needed";
    INTERNAL_ASSIGNMENT = "E1016", "an assignment to a name of the language",
        "`_pid`, `_nr_pr` and `_last` are kept by the verifier and cannot be changed by a model.";
    MISPLACED_RUN = "E1017", "`run` where it cannot stand",
        "`run` starts a process, so it is a step: it stands alone, or alone on the right of an assignment, in
a process. It cannot be part of a larger expression, of a message, or of an initial value.

    p = run P(1); c!p           // not: c!(run P(1))";
    WRONG_ARGUMENTS = "E1018", "the wrong number of values",
        "`run` gives one value for each parameter of the proctype; a structure counts by its fields. A message\nhas at most as many fields as the widest channel of the model.";
    UNKNOWN_PROCESS = "E1019", "a proctype that does not exist",
        "`run P(…)` needs a proctype `P` somewhere in the file; `P[i]@label` and `P[i]:x` need it before them.";
    UNKNOWN_LABEL = "E1020", "a label that does not exist",
        "`goto L` needs a statement marked `L:` in the same process, `P@L` one in process `P`.";
    LABEL_REDECLARED = "E1021", "a label that is set twice",
        "A label marks one place. Give one of the two another name.";
    LABEL_PLACEMENT = "E1022", "a label that marks no place",
        "The first statement inside `atomic { }`, `d_step { }`, `{ }` or an `unless` shares its place with the block
around it. Put the label in front of the block:

    again: atomic { x = 1; y = 2 }";
    MISPLACED_BREAK = "E1023", "`break` outside a loop",
        "`break` leaves the innermost `do … od` or `for`. Here is none.";
    JUMP_ACROSS_D_STEP = "E1024", "a jump across the border of a `d_step`",
        "A `d_step` is one step: no jump leads into it (not even to a label in front of it, since SPIN counts
that as inside), and none leaves it from the middle.

    again: skip; d_step { x = 1; y = 2 }; goto again";
    JUMP_CIRCLE = "E1025", "jumps in a circle",
        "`goto`s that lead to each other without a statement between them would never rest.";
    DUPLICATE_ELSE = "E1026", "more than one `else` at one place",
        "A choice has at most one `else`. A choice that stands first in an option belongs to the outer choice, so
their `else`s meet:

    if :: if :: x -> skip :: else fi :: else fi";
    FORBIDDEN_IN_D_STEP = "E1027", "something a `d_step` cannot contain",
        "A `d_step` is one step and must be undone as one: it cannot start or end processes, nor look into others,
nor be interrupted by `unless`. Use `atomic`.";
    NON_PROGRESS_OUTSIDE = "E1029", "`np_` outside a claim",
        "`np_` is true while no process stands at a `progress` label. Only claims and formulas can ask for it.
To look for cycles without progress use `--check progress`.";
    CLAIM_WITH_IO = "E1030", "a claim that sends or receives",
        "A `never` claim watches the model and must not change it. Ask for contents with `c?[…]` instead.";
    NOT_AN_EVENT = "E1031", "something other than an event in a trace",
        "`trace` and `notrace` describe the order of sends and receives, nothing else: `c!…` and `c?…` on channels known
beforehand, in choices and loops. An event stands for every form of sending or receiving.";
    BAD_LOOP = "E1032", "a `for` or `select` that does not fit",
        "`for (i : a .. b)` and `select (i : a .. b)` count a plain variable from a to b; `for (i in a)` counts the
indices of an array, or takes the messages of a buffered channel whose messages are of the variable's
`typedef`.";
    BAD_PROVIDED = "E1033", "a `provided` clause that looks at local things",
        "`provided (e)` is asked before every step of the process, from outside: it may use global variables and
channels, `_pid` and `_priority`, but no locals and no other process.";
    TOO_MANY = "E1034", "more processes or constants than fit",
        "At most 255 processes run at once, and a set of `mtype` constants has at most 255: both are kept in a byte.";
    LATE_CHANNEL = "E1035", "a channel that comes into being too late",
        "Channels of a process are made when it starts, so they are declared before its first statement.";
    LATE_LIST = "E1036", "a list of initial values too late",
        "Behind the first statement a declaration is an assignment, and a list cannot be assigned.";
    NOTHING_RUNS = "E1038", "no process to run",
        "A model needs `init`, or at least one `active proctype`.";
    WRONG_MTYPE = "E1039", "an `mtype` constant of another set",
        "`mtype:fruit = { apple }` and `mtype:tool = { saw }` are separate sets: a variable holds constants of its own.
SPIN checks this when a process starts, too, and then takes constants only: a parameter that is to be given a
variable must be a `byte`.

    proctype P(byte fruit) { … }
    run P(v)                    // v is an mtype variable";
    CHANNEL_VALUE = "E1040", "calculating with a channel",
        "A channel variable holds a channel. It can be assigned another channel, sent and compared, not added to.";
    STORED_TWICE = "E1041", "one variable for two fields",
        "`c?x,x` would store two values in one variable. Use `_` for the one that is not needed.";
    BAD_PRIORITY = "E1042", "a priority outside 1 to 255",
        "Priorities run from 1, the lowest and default, to 255.";
    EMPTY_SEQUENCE = "E1044", "a place without a statement",
        "Every body, block and option has at least one statement. Write `skip` to do nothing.";
    BAD_PARAMETER = "E1045", "a parameter that cannot be passed",
        "Parameters are single values, channels or structures of them; no arrays, no initial values.";
    BAD_CAPACITY = "E1047", "a capacity outside 0 to 32767",
        "A channel holds 0 (rendezvous) to 32767 messages. Every one of them is part of each state, so that a large
capacity costs memory even where few messages are ever waiting.";
    ELSE_WITH_EXCLUSIVE = "E1048", "`else` beside a send or receive in a model with `xr` or `xs`",
        "`xr` and `xs` promise that nobody else sees whether the channel is full or empty; an `else` beside a send or
receive does see it. Remove the promise or the `else`.";
    CLAIM_WITH_VARIABLES = "E1049", "a claim with variables of its own",
        "A `never` claim watches the model and keeps nothing but its place. What it counts or remembers is declared
outside, in front of it.

    byte turns;
    never { do :: turns > 3 -> break :: else od }";
    NO_HANDSHAKE = "E1050", "priorities or `enabled()` in a model with rendezvous channels",
        "Both ask whether one process can move by itself. A rendezvous is a step of two processes, so neither has a
meaning there, and SPIN refuses the combination: its verifier stops with `#error use of priorities cannot be
combined with rendezvous`. That holds wherever in the model they stand, and for `priority 1` as well.

    chan c = [1] of { byte };   // not: [0]
    active proctype P() priority 2 { c!1 }";
    SELF_INDEX = "E1051", "an array indexed with itself in an assignment",
        "In `a[a[0]] = 1` the assignment may change the very index that says which element is assigned. SPIN could not
undo it and refuses it; reading `x = a[a[0]]` is fine. Store the index first:

    i = a[0]; a[i] = 1";
    BROKEN_PROMISE = "E1052", "a channel that two processes claim",
        "`xr c` promises that only this process receives from `c`, `xs c` that only it sends. Two processes cannot both
promise that, not even of different elements of an array of channels, nor of the same field of two variables: SPIN
takes those for one channel.";
    NEVER_RECEIVED = "W1101", "a message that nobody receives",
        "Messages of this kind are sent, but no receive of the channel can take them: it will fill up, or the
sender will wait for ever.";
    NEVER_READ = "W1102", "a channel that nobody reads",
        "Messages go into this channel and never come out.";
    TRUNCATED = "W1103", "an assignment that always loses bits",
        "The value does not fit the variable's type, so another one is stored: a `byte` holds 0 to 255, a `bit` 0 or 1,
a `short` -32768 to 32767.

    byte x;
    init { x = 300 }            // stores 44";
    UNREACHABLE = "W1104", "a statement that control never reaches",
        "No step leads to this statement, whatever the values are: it stands behind a `goto`, a `break`, or a loop
without a way out.";
    UNUSED_LABEL = "W1105", "a label that nothing uses",
        "Nothing jumps to this label or refers to it, and its name has no meaning of its own (as `end…`, `accept…`,
`progress…` have). It may be a misspelt one of those.";
    ELSE_BESIDE_CHANNEL = "W1106", "`else` beside a send or receive",
        "The `else` is taken whenever the channel is full (or empty) at that moment, which partial-order reduction
must not hide; SPIN warns as well.";
    INDEX_OUTSIDE = "W1107", "an index that is always outside the array",
        "Whoever comes here reads or writes outside the array, which is an error while the model runs.";
    NEVER_SENT = "W1108", "a channel that nobody sends to",
        "Receives from this channel can never happen.";
    UNUSED_INLINE = "W1109", "an inline that nothing calls",
        "The text of an inline is only read where it is called, so mistakes in this one go unnoticed.";
    LENGTH_FROM_VARIABLE = "W1110", "a length given by a variable",
        "The length of an array must be known beforehand. Given a variable, SPIN takes its initial value, or 8 if that
is not positive, and pverify does the same. Use a macro, so that the length is plain to see.";
    IGNORED_VALUE = "W1111", "an initial value that is ignored",
        "A structure cannot be given a value; SPIN ignores this one, and so does pverify. Assign to the fields.";
    SELF_LOOP = "W1112", "a step that does nothing for ever",
        "An unconditional `skip` that leads back to itself can be repeated for ever without changing anything.
It adds nothing to the behaviour but an idle loop; SPIN's verifier refuses to start on it.

    do :: skip od";
    COPY_BEFORE_D_STEP = "W1113", "a `d_step` that SPIN cannot compile",
        "The `d_step` begins with a receive that leaves the message in its channel, and the model has a rendezvous
channel. SPIN forgets a parenthesis in the verifier that it writes for this, so gcc refuses it. What is meant is
plain, and pverify does it: the step can be taken when such a message is there. For SPIN, test before:

    d_step { nempty(c) -> c?<x>; y = x }";
    JUMP_NOT_WRITTEN = "W1114", "a way out of a `d_step` that SPIN cannot write",
        "A loop at the end of the `d_step` ends it, as it may. SPIN turns the inside into C with `goto`s, and loses the
label of this one: `spin -a` says `goto S_… breaks from d_step seq`, or gcc that a label is missing or there twice.
What is meant is plain, and pverify does it. For SPIN, end the block with a statement:

    :: d_step { x = 9; { do :: x > 0 -> x-- :: else -> break od }; skip }";
    FORGOTTEN_CHANNEL = "W1115", "a channel of a `typedef` that no variable has",
        "The `typedef` makes a channel, but no variable is of this type, or only a parameter is. SPIN counts the channel
all the same, so that gcc misses its description in the verifier (`error: ‘Q1’ undeclared`). pverify has no such
trouble. For SPIN, remove the field, or declare a variable:

    typedef Line { chan c = [1] of { byte } };
    Line line;";
    SHORT_REACH = "W1116", "a temporal operator that ends before it seems to",
        "Operators in front bind tighter than those between: `[] p -> q` means `([] p) -> q`, which is true as soon as
p is false once. Most people mean `[] (p -> q)`: whenever p, then q.

    ltl answered { [] asked -> <> told }       // hardly meant
    ltl answered { [] (asked -> <> told) }     // whenever asked, told later

Brackets say which is meant, and end the warning.";
    UNKNOWN_IN_SYSTEM = "E1301", "a name that a system of machines does not have",
        "A transition, an initial state or a group of bad states names a state, a message, a channel or a \
         machine that the system does not declare.\n\n\
         \x20   nb_channels = 2 ;\n    …\n    to 1 : when true , 2 ! a ;      channels are 0 and 1\n\n\
         Correct the name, or declare what it names.";
    SYSTEM_TOO_LARGE = "E1302", "a system of machines with too many parts",
        "A system has at most 255 machines, 255 channels and 255 different messages.\n\n\
         \x20   nb_channels = 300 ;\n\n\
         Leave out what does not matter, or look at a part of the system.";
    BAD_STATES_UNCHECKED = "W1303", "bad states that depend on what channels hold",
        "A group of bad states may ask for contents of the channels by a regular expression. pverify checks \
         groups that ask for states alone; this one is reported as not checked, and the answer is \
         inconclusive.\n\n\
         \x20   (automaton receiver: in 0 : true with c.(o|c)^*.#.d^*)\n\n\
         Leave out the part behind `with` if being in these states is bad enough, or let a machine go \
         to a state of its own when it sees such a message.";
    TRANSITIONS_TOO_MANY = "E1304", "a transition system with too many parts",
        "A labelled transition system (.aut) has at most 268,435,456 states, and a state at most 65,535 \
         transitions.\n\n\
         \x20   des (0, 1, 300000000)\n\n\
         Minimise it first, or look at a part of it.";
}

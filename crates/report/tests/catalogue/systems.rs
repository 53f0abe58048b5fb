//! Systems of communicating machines that cannot be read, or not wholly.

use pverify_model::load::Loaded;
use pverify_model::machines::load_machines;
use pverify_syntax::machines::Format;
use pverify_syntax::options::MemoryLoader;

const SCM: &str = "scm s :\nnb_channels = 2 ;\nparameters :\nreal a ;\n";

/// One for each code: the code, and the text behind the usual beginning.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("E0501", "automaton A :\ninitial : 0\nstate 0 :\nto 0 : when true , 0 a ;\n"),
    ("E0502", "automaton A :\nint x = 0 ;\ninitial : 0\nstate 0 :\nto 0 : when x > 0 , 0 ! a ;\n"),
    ("E1301", "automaton A :\ninitial : 0\nstate 0 :\nto 1 : when true , 2 ! b ;\n"),
    (
        "W1303",
        "automaton A :\ninitial : 0\nstate 0 :\nto 0 : when true , 0 ! a ;\n\
         bad_states:\n(automaton A: in 0 : true with (a.a)^*.#)\n",
    ),
];

/// Reads an example.
pub(crate) fn read(code: &str, text: &str) -> Loaded {
    let text = match code {
        "E1302" => format!("scm s :\nnb_channels = 300 ;\nparameters :\nreal a ;\n{text}"),
        _ => format!("{SCM}{text}"),
    };
    let mut loader = MemoryLoader::default().with("system.scm", text);
    load_machines("system.scm", &mut loader, Format::Scm)
}

/// One that is too large.
pub(crate) const LARGE: (&str, &str) =
    ("E1302", "automaton A :\ninitial : 0\nstate 0 :\nto 0 : when true , 0 ! a ;\n");

//! Labelled transition systems that cannot be read.

/// One for each code: the code, and the text.
pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("E0601", "des (0, 1, 2)\n(0, \"send\" 1)\n"),
    ("E0602", "des (0, 1, 2)\n(0, \"send\", 2)\n"),
    ("E0603", "des (0, 2, 2)\n(0, \"send\", 1)\n"),
    ("E1304", "des (0, 1, 300000000)\n(0, \"send\", 1)\n"),
];

//! Trees that do not become machines, and machines that give cause for a warning.

use crate::{Example, example};

/// One for each code of `model`.
pub(crate) fn examples() -> Vec<Example> {
    PLAIN.iter().map(|&(code, text)| example(code, text)).collect()
}

const PLAIN: &[(&str, &str)] = &[
    ("E1001", "byte count;\ninit { cuont = 1 }\n"),
    ("E1002", "byte x;\ninit {\n  byte x;\n  x = 1\n}\n"),
    ("E1003", "mtype = { ack };\ninit {\n  byte ack;\n  skip\n}\n"),
    ("E1004", "Message m;\ninit { skip }\n"),
    ("E1005", "byte a[1 / 0];\ninit { a[0] = 1 }\n"),
    ("E1006", "byte a[2] = { 1, 2, 3 };\ninit { a[0] = 1 }\n"),
    ("E1007", "unsigned x : 40;\ninit { x = 1 }\n"),
    ("E1008", "byte x;\ninit { x!1 }\n"),
    ("E1009", "init {\n  hidden byte x;\n  x = 1\n}\n"),
    ("E1010", "typedef Message { byte from; byte to };\nMessage m;\ninit { m = 1 }\n"),
    ("E1011", "byte a[3];\ninit { a = 1 }\n"),
    ("E1012", "byte x;\ninit { x[1] = 1 }\n"),
    ("E1013", "typedef Message { byte from; byte to };\nMessage m;\ninit { m.form = 1 }\n"),
    (
        "E1014",
        "typedef Inner { byte x };\ntypedef Outer { Inner all[2] };\n\
         chan c = [1] of { Outer };\nOuter o;\ninit { c!o }\n",
    ),
    ("E1015", "byte x;\ninit { x = _ }\n"),
    ("E1016", "init { _pid = 3 }\n"),
    ("E1017", "proctype P() { skip }\ninit { (run P()) > 0 && (run P()) > 0 }\n"),
    ("E1018", "proctype P(byte a; byte b) { skip }\ninit { run P(1) }\n"),
    ("E1019", "init { run Client() }\n"),
    ("E1020", "init {\n  goto again\n}\n"),
    ("E1021", "byte x;\ninit {\n  L: x = 1;\n  L: x = 2;\n  goto L\n}\n"),
    ("E1022", "byte x;\ninit {\n  atomic {\n    L: x = 1;\n    x = 2\n  };\n  goto L\n}\n"),
    ("E1023", "init {\n  skip;\n  break\n}\n"),
    ("E1024", "byte x;\ninit {\n  d_step { x = 1; goto L; x = 2 };\n  L: skip\n}\n"),
    ("E1025", "init {\n  A: goto B;\n  B: goto A\n}\n"),
    (
        "E1026",
        "byte x;\ninit {\n  if\n  :: x > 0 -> skip\n  :: else -> x = 1\n  :: else -> x = 2\n  fi\n}\n",
    ),
    ("E1027", "proctype P() { skip }\ninit { d_step { skip; run P() } }\n"),
    ("E1029", "init { np_ }\n"),
    ("E1030", "chan c = [1] of { byte };\nnever { c?1 }\ninit { c!1 }\n"),
    ("E1031", "byte x;\ntrace { x = 1 }\ninit { x = 1 }\n"),
    ("E1032", "byte i, n;\ninit {\n  for (i in n) { skip }\n}\n"),
    ("E1033", "active proctype P(byte a) provided (a > 0) { skip }\n"),
    ("E1034", "active [300] proctype P() { skip }\n"),
    ("E1035", "init {\n  skip;\n  chan c = [1] of { byte };\n  c!1\n}\n"),
    ("E1036", "init {\n  skip;\n  byte a[2] = { 1, 2 };\n  a[0] = 1\n}\n"),
    ("E1038", "proctype P() { skip }\n"),
    (
        "E1039",
        "mtype:fruit = { apple };\nmtype:tool = { saw };\nmtype:fruit f;\ninit { f = saw }\n",
    ),
    ("E1040", "chan c = [1] of { byte };\nbyte x;\ninit { x = c + 1 }\n"),
    ("E1041", "chan c = [1] of { byte, byte };\nbyte x;\ninit { c!1,2; c?x,x }\n"),
    ("E1042", "active proctype P() priority 300 { skip }\n"),
    ("E1044", "chan c = [1] of { byte };\ninit {\n  if\n  :: xr c\n  fi\n}\n"),
    ("E1045", "active proctype P(byte a[3]) { skip }\n"),
    ("E1047", "chan c = [100000] of { byte };\ninit { c!1; c?1 }\n"),
    (
        "E1048",
        "chan c = [1] of { byte };\nactive proctype P() {\n  xr c;\n  do\n  :: c?_\n  :: else -> break\n  od\n}\n\
         active proctype Q() { c!1 }\n",
    ),
    ("E1049", "byte x;\nnever {\n  byte turns;\n  do\n  :: x > turns\n  od\n}\ninit { x = 1 }\n"),
    (
        "E1050",
        "chan c = [0] of { byte };\nactive proctype P() priority 2 {\n  c!1\n}\n\
         active proctype Q() {\n  enabled(0);\n  c?_\n}\n",
    ),
    ("E1051", "byte a[3];\ninit { a[a[0]] = 1 }\n"),
    (
        "E1052",
        "chan c = [1] of { byte };\nactive proctype P() {\n  xr c;\n  c?_\n}\n\
         active proctype Q() {\n  xr c;\n  c?_\n}\ninit { c!1 }\n",
    ),
    (
        "W1101",
        "mtype = { ack, nak };\nchan c = [1] of { mtype };\nactive proctype P() { c!nak }\n\
         active proctype Q() { c?ack }\n",
    ),
    ("W1102", "chan c = [1] of { byte };\ninit { c!1 }\n"),
    ("W1103", "byte x;\ninit { x = 300 }\n"),
    ("W1104", "byte x;\ninit {\n  goto L;\n  x = 1;\n  L: x = 2\n}\n"),
    ("W1105", "byte x;\ninit { ned: x = 1 }\n"),
    (
        "W1106",
        "chan c = [1] of { byte };\nactive proctype P() {\n  do\n  :: c?_\n  :: else -> break\n  od\n}\n\
         active proctype Q() { c!1 }\n",
    ),
    ("W1107", "byte a[3];\ninit { a[3] = 1 }\n"),
    ("W1108", "chan c = [1] of { byte };\nbyte x;\ninit { c?x }\n"),
    ("W1109", "inline f() { skip }\ninit { skip }\n"),
    ("W1110", "byte n = 4;\nbyte a[n];\ninit { a[0] = 1 }\n"),
    ("W1111", "typedef Message { byte from };\nMessage m = 1;\ninit { m.from = 1 }\n"),
    ("W1116", "bit p, q;\nltl { [] p -> q }\ninit { p = 1; q = 1 }\n"),
    ("W1112", "init {\n  do\n  :: skip\n  od\n}\n"),
    (
        "W1113",
        "chan c = [1] of { byte };\nchan go = [0] of { byte };\nbyte x;\n\
         active proctype P() {\n  go!1;\n  d_step { c?<x>; x++ };\n  c?x\n}\n\
         init { c!1; go?_ }\n",
    ),
    (
        "W1114",
        "byte x, y;\ninit {\n  if\n  :: d_step {\n       x = 1;\n       {\n         do\n         :: x < 9 -> x++\n\
         \x20        :: else -> break\n         od\n       }\n     }\n  :: y++\n  fi\n}\n",
    ),
    ("W1115", "typedef Line {\n  chan c = [1] of { byte }\n};\ninit { skip }\n"),
];

//! The one sentence for what this version cannot do yet.

/// Says what is missing, and what works today.
pub(crate) fn not_yet(what: &str) -> String {
    format!(
        "{what} is not part of this version yet\nhelp: today pverify checks safety, formulas, claims \
         and labels (`pverify FILE`), formulas over actions (`--check finite`) and acceptance by \
         deterministic automata (`--check buchi`), saves and replays counterexamples (`pverify replay \
         FILE TRACE`), simulates (`pverify simulate FILE`), draws control graphs (`pverify graph \
         FILE`), shows automata of formulas (`pverify automaton FORMULA`) and explains its messages \
         (`pverify explain CODE`)"
    )
}

//! What verdicts mean, and every kind of fault: the texts of `pverify explain`, in one place.
//!
//! A kind goes by the name that the output gives it (the member `fault` of a check); a test asks for
//! a text for each.

/// A verdict, a kind of fault, or a reason for not knowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// As the output names it.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// What it means, and what to do about it.
    pub explanation: &'static str,
}

const fn kind(name: &'static str, title: &'static str, explanation: &'static str) -> Kind {
    Kind { name, title, explanation }
}

/// All of them: verdicts, then faults, then reasons for not knowing.
pub static KINDS: &[Kind] = &[
    kind(
        "holds",
        "the property is true of every run",
        "\
Every state that the model can reach was looked at, and for endless runs every cycle, within what the \
line says: with `--fairness weak` only fair runs count, with `--capacity` channels hold so much, and \
«that were seen» means that states were remembered by bits only.\n\n\
That a property holds says as much as the property: statements listed as never executed are a hint \
that the model cannot do what its author thinks.",
    ),
    kind(
        "violated",
        "the property is false of some run, which is shown",
        "\
The run was done again, step by step, by the meaning of the language alone, and made shorter where \
steps could be dropped. `--trace FILE` saves it for `pverify replay`, `--trail FILE` for SPIN. \
`--shortest` looks for a shortest one, and `--all-errors` counts them all.",
    ),
    kind(
        "inconclusive",
        "it is not known: something came first",
        "\
The line says what, and what to try. Nothing is claimed of what was not looked at. See `pverify \
explain memory`, `time limit`, `depth`, `bitstate`, `interrupted`, `endless` and `earlier fault`. The \
exit status is 3.",
    ),
    kind(
        "assertion",
        "an `assert` fails",
        "\
The last step of the counterexample is an `assert` whose condition is false there. Look at the values \
that the steps before it changed. `--check assert` looks for nothing else.",
    ),
    kind(
        "deadlock",
        "nothing can move, and some process may not stop where it is",
        "\
SPIN calls it an invalid end state. The report says for each process where it waits, and for what. If \
a process may rest there for ever, as a server may that waits for requests, give the place a label \
that begins with `end`:\n\n    end_idle: to_server?request",
    ),
    kind(
        "array index",
        "an index is outside its array",
        "\
Arrays of N elements have the indices 0 to N - 1. Guard the statement, or make the array larger.",
    ),
    kind(
        "division by zero",
        "the right side of `/` or `%` is 0",
        "\
Guard the statement with a condition on the divisor.",
    ),
    kind(
        "too many processes",
        "a 256th process is started",
        "\
At most 255 processes live at once, as in SPIN. A process makes room when it ends and all that were \
started after it have ended. A loop that runs processes without end is the usual cause.",
    ),
    kind(
        "too many channels",
        "a 256th channel is made",
        "\
At most 255 channels live at once, as in SPIN: those of local declarations count for each process.",
    ),
    kind(
        "blocked d_step",
        "a `d_step` cannot go on",
        "\
Nothing may wait inside `d_step`: only its first statement may. Use `atomic`, in which a process that \
waits lets the others move, or move the condition to the front.",
    ),
    kind(
        "endless d_step",
        "a `d_step` never ends",
        "\
A loop inside a `d_step` has no way out from here; as the whole is one step, it would never be over.",
    ),
    kind(
        "message shape",
        "a message has another number of fields than the channel",
        "\
The statement gives a number of fields that differs from the declaration of the channel it is used \
with. Write the same number in both.",
    ),
    kind(
        "no channel",
        "a channel variable holds no channel",
        "\
A `chan` without `= [N] of { … }` holds nothing until a channel is assigned or received.",
    ),
    kind(
        "polled rendezvous",
        "a rendezvous channel is asked for its contents",
        "\
A channel of capacity 0 never holds a message, so `len`, `full`, `empty` and `?[…]` make no sense for \
it. Give it a capacity, or receive instead.",
    ),
    kind(
        "bad priority",
        "a priority is outside 1 to 255",
        "\
`set_priority` and `priority` take numbers from 1 to 255.",
    ),
    kind(
        "enabled of itself",
        "a process asks `enabled(_pid)`",
        "\
Whether a process can move depends on the statement that asks, so the question has no answer. Ask \
about another process.",
    ),
    kind(
        "no such process",
        "a reference to a process that does not live",
        "\
`name[pid]@label` and `name[pid]:variable` speak of a process that has not been started or has ended. \
Guard it, or keep the process alive.",
    ),
    kind(
        "atomic cycle",
        "an atomic block runs in a circle for ever",
        "\
No other process ever moves again, and no state outside the block follows. Give the loop a way out, \
or take it out of `atomic`.",
    ),
    kind(
        "choice in D_proctype",
        "a `D_proctype` has more than one possible step",
        "\
`D_proctype` promises that at most one statement is possible at any time. Use `proctype`, or make the \
guards exclude each other.",
    ),
    kind(
        "event trace (no matching event)",
        "an event that the `trace` does not allow",
        "\
The sends and receives of the run, as far as the `trace` names their channels, are not a sequence that \
it describes. The last step is the event that does not fit.",
    ),
    kind(
        "event trace (all events matched)",
        "the events that the `notrace` forbids",
        "\
The `notrace` describes what must not happen, and the run does just that.",
    ),
    kind(
        "end of claim",
        "the `never` claim has come to its end",
        "\
A claim describes what must never happen; a run that brings it to its closing brace has done so, \
whatever comes after it.",
    ),
    kind(
        "refuted formula",
        "whatever comes, the formula cannot hold any more",
        "\
The formula is a safety formula: it can fail after finitely many steps, and the run shows them. How it \
goes on does not matter, so no cycle is shown.",
    ),
    kind(
        "rejected computation",
        "the formula does not allow this finite computation",
        "\
For `--check finite`, which reads the formula over actions and finite sequences: the actions of the \
run, listed as the computation, violate it. Every beginning of a run is a computation too.",
    ),
    kind(
        "run not accepted",
        "a run goes on for ever and is not accepted",
        "\
For `--check buchi`: the run goes round a cycle in which the deterministic automaton never comes to an \
accepting state.",
    ),
    kind(
        "violated formula",
        "the formula does not hold on an endless run",
        "\
The run repeats a cycle for ever, and along it the formula is false. Where a process in it could always \
move and never does, the run may be one that no scheduler would make: `--fairness weak` leaves such runs \
out. A run that ends repeats its last state.",
    ),
    kind(
        "accepted claim",
        "the `never` claim accepts an endless run",
        "\
The run passes by an `accept` label of the claim again and again. `--fairness weak` leaves out runs in \
which a process that can always move never does.",
    ),
    kind(
        "acceptance cycle",
        "a cycle through an `accept` label",
        "\
Labels that begin with `accept` mark what must not happen again and again for ever. The run repeats a \
cycle that passes by one. SPIN looks for it with `pan -a` only.",
    ),
    kind(
        "non-progress cycle",
        "a cycle without a `progress` label",
        "\
Labels that begin with `progress` mark what must happen again and again. The run repeats a cycle that \
passes by none. SPIN looks for it with `-DNP` and `pan -l` only; `--fairness weak` leaves unfair runs \
out.",
    ),
    kind(
        "not related",
        "one model can do what the other cannot",
        "\
For `--check equivalence`: both do the actions that are shown, and then one of them can do an action \
that the other has no answer to. `--hide` and `--rename` say which differences do not matter.",
    ),
    kind(
        "unbounded",
        "a channel can grow without end",
        "\
For `--check unbounded`, with capacities lifted: the round that is shown can be repeated for ever, and \
each time a channel is longer. A sender that never waits for an answer is the usual cause.",
    ),
    kind(
        "limit",
        "the model needs more of something than there is",
        "\
The message names it. Make the model smaller there.",
    ),
    kind(
        "misfit",
        "a value does not fit where it was computed to fit",
        "\
This is never a fault of the model, but a mistake of pverify: no verdict is given. Please report it with \
the model.",
    ),
    kind(
        "memory",
        "the memory limit was reached first",
        "\
When the store is full, states that were left give way to new ones, so the search goes on with less \
memory; what is searched now alone (the path, or with `--shortest` a level) no longer fits. Try a larger \
`--memory`, leave `--shortest` out, or make the model smaller. See also `--store bitstate`.",
    ),
    kind(
        "time limit",
        "the time limit was reached first",
        "\
Try a larger `--time-limit`, more `--threads`, or `--checkpoint FILE` and later `--resume FILE`.",
    ),
    kind(
        "depth",
        "runs longer than `--depth` were not followed",
        "\
What lies behind them is not known, so the property may fail there. Give a larger `--depth`, or none.",
    ),
    kind(
        "states",
        "the states that were seen are not all there are",
        "\
The number beside an inconclusive verdict counts what was explored until then; it says nothing of how \
many there are. Raise the limit that the reason names, or let channels hold fewer messages and \
processes be fewer: a smaller model often shows the same mistake.",
    ),
    kind(
        "bitstate",
        "states were remembered by bits only",
        "\
With `--store bitstate` different states may be taken for one, and what comes after an omitted state is \
omitted too. The report says how many were probably omitted; where that is not close to none, the answer \
is inconclusive. A violation is as real as any. Use `--store exact` to be sure, or more `--memory`.",
    ),
    kind(
        "interrupted",
        "the person asked for an end",
        "\
Ctrl-C ends a search with a report of what is known until then; a second one ends the process. \
`--checkpoint FILE` saves the search so that `--resume FILE` goes on with it.",
    ),
    kind(
        "endless",
        "channels without capacity may have no end",
        "\
In a language whose channels have no capacity there may be infinitely many states. Give them one with \
`--capacity`, or ask `--check unbounded` whether they can grow for ever.",
    ),
    kind(
        "earlier fault",
        "a step goes wrong, and what comes after it is not known",
        "\
A check of runs needs runs that go on. Mend what `--check safety` finds first; then ask again.",
    ),
];

/// The kind of a name, however it is written: `non-progress-cycle` is `non-progress cycle`.
pub fn named(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| plain(kind.name) == plain(name))
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_semantics::fault::FaultKind;

    /// The kind after a kind: a new one must be given a place here, or this does not compile.
    fn next(fault: &FaultKind) -> Option<FaultKind> {
        Some(match fault {
            FaultKind::Assertion => FaultKind::InvalidEndState,
            FaultKind::InvalidEndState => FaultKind::ArrayIndex { index: 1, length: 1 },
            FaultKind::ArrayIndex { .. } => FaultKind::DivisionByZero,
            FaultKind::DivisionByZero => FaultKind::TooManyProcesses,
            FaultKind::TooManyProcesses => FaultKind::TooManyChannels,
            FaultKind::TooManyChannels => FaultKind::BlockedDStep,
            FaultKind::BlockedDStep => FaultKind::EndlessDStep,
            FaultKind::EndlessDStep => FaultKind::MessageShape { given: 1, wanted: 2 },
            FaultKind::MessageShape { .. } => FaultKind::NoChannel,
            FaultKind::NoChannel => FaultKind::PolledRendezvous,
            FaultKind::PolledRendezvous => FaultKind::BadPriority(0),
            FaultKind::BadPriority(_) => FaultKind::EnabledOfItself,
            FaultKind::EnabledOfItself => FaultKind::NoProcess(1),
            FaultKind::NoProcess(_) => FaultKind::AtomicCycle,
            FaultKind::AtomicCycle => FaultKind::Choice,
            FaultKind::Choice => FaultKind::NoMatchingEvent,
            FaultKind::NoMatchingEvent => FaultKind::TraceMatched,
            FaultKind::TraceMatched => FaultKind::ClaimEnded,
            FaultKind::ClaimEnded => FaultKind::FormulaRefuted,
            FaultKind::FormulaRefuted => FaultKind::Rejected,
            FaultKind::Rejected => FaultKind::NotAccepted,
            FaultKind::NotAccepted => FaultKind::FormulaViolated,
            FaultKind::FormulaViolated => FaultKind::ClaimAccepted,
            FaultKind::ClaimAccepted => FaultKind::AcceptanceCycle,
            FaultKind::AcceptanceCycle => FaultKind::NonProgressCycle,
            FaultKind::NonProgressCycle => FaultKind::Unrelated,
            FaultKind::Unrelated => FaultKind::Limit("bits"),
            FaultKind::Limit(_) => FaultKind::Misfit(0),
            FaultKind::Misfit(_) => return None,
        })
    }

    #[test]
    fn every_fault_and_verdict_is_explained() {
        let faults = std::iter::successors(Some(FaultKind::Assertion), next);
        let names = faults.map(|fault| fault.name()).chain(["holds", "violated", "inconclusive"]);
        for name in names {
            assert_eq!(named(name).map(|kind| kind.name), Some(name));
        }
    }

    #[test]
    fn a_name_is_one_kind_and_has_a_text() {
        for (at, kind) in KINDS.iter().enumerate() {
            assert_eq!(KINDS.iter().position(|one| plain(one.name) == plain(kind.name)), Some(at));
            assert!(kind.explanation.ends_with('.') || kind.explanation.contains("\n    "));
            assert!(!kind.title.is_empty());
        }
        assert_eq!(named("Non-Progress_Cycle").map(|kind| kind.name), Some("non-progress cycle"));
        assert_eq!(named("love"), None);
    }
}

//! SPIN's own form of a counterexample, which `spin -t` and `pan -r` replay.
//!
//! A line a step: its number, the process, and SPIN's number of the edge. Both halves of a
//! rendezvous have a line, as has each step inside an `atomic`; a `d_step` has one. Lines that begin
//! with a negative number say something about the run: `-2:n:-2` that the claim `n` runs as process
//! 0, which shifts all others by one; `-4:-4:-4` that the verifier was made with statements merged;
//! `-1:-1:-1` that the steps behind it are a cycle.

use pverify_model::machine::{Model, ProcessKind};
use pverify_verdict::Move;
use std::fmt::Write as _;

/// Moves as a trail.
///
/// For a model with claims the verifier that SPIN makes has the claim as process 0, so it is here:
/// at rest, since what was checked is the model without it.
pub fn to_trail(model: &Model, moves: &[Move], cycle_from: Option<usize>) -> String {
    let mut text = String::new();
    let claim = claim(model);
    if let Some(number) = claim {
        let _ = writeln!(text, "-2:{number}:-2");
    }
    let shift = usize::from(claim.is_some());
    for (at, step) in moves.iter().enumerate() {
        if cycle_from == Some(at) {
            text += "-1:-1:-1\n";
        }
        let _ = writeln!(text, "{}:{}:{}", at + 1, step.pid as usize + shift, step.edge);
    }
    text
}

/// SPIN's number of the claim that its verifier takes when nobody chooses one.
pub fn claim(model: &Model) -> Option<usize> {
    let never = model.processes.iter().position(|process| process.kind == ProcessKind::Never);
    let formulas = (!model.formulas.is_empty()).then_some(model.processes.len());
    never.or(formulas)
}

/// What a trail says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The steps of the processes; those of a claim are left out.
    pub moves: Vec<Move>,
    /// Whether it is of a verifier whose statements are merged.
    pub merged: bool,
    /// Whether it is of a model with a claim.
    pub claim: bool,
}

/// Reads a trail.
///
/// # Errors
/// With the line that is no line of a trail, and why.
pub fn parse(text: &str) -> Result<Trail, String> {
    let mut trail = Trail::default();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let fail = |why: &str| format!("line {} of the trail {why}", at + 1);
        let numbers: Option<Vec<i64>> = line.split(':').map(|part| part.parse().ok()).collect();
        let Some([depth, pid, edge]) = numbers.as_deref() else {
            return Err(fail("is not `step:process:statement`, three numbers"));
        };
        match depth {
            -2 => trail.claim = true,
            -4 => trail.merged = true,
            ..=-1 => {}
            _ => {
                let pid = pid - i64::from(trail.claim);
                if pid == -1 && trail.claim {
                    continue;
                }
                let pid = u8::try_from(pid).map_err(|_| fail("names no process (0 to 254)"))?;
                let edge = u32::try_from(*edge).map_err(|_| fail("names no statement"))?;
                trail.moves.push(Move { pid, edge });
            }
        }
    }
    Ok(trail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;

    fn check_written(text: &str, expected: &str) {
        let moves = [Move { pid: 0, edge: 3 }, Move { pid: 1, edge: 12 }];
        assert_eq!(to_trail(&load_text(text).model, &moves, None), expected);
    }

    fn check_read(text: &str, moves: &[(u8, u32)], merged: bool) {
        let moves = moves.iter().map(|&(pid, edge)| Move { pid, edge }).collect();
        let claim = text.starts_with("-2");
        assert_eq!(parse(text), Ok(Trail { moves, merged, claim }));
    }

    fn check_refused(text: &str, why: &str) {
        assert_eq!(parse(text), Err(why.to_owned()));
    }

    #[test]
    fn a_claim_shifts_the_processes() {
        check_written("init { skip }", "1:0:3\n2:1:12\n");
        check_written("byte x; init { skip } never { do :: x od }", "-2:1:-2\n1:1:3\n2:2:12\n");
        check_written("byte x; init { x = 1 } ltl p { [] !x }", "-2:1:-2\n1:1:3\n2:2:12\n");
    }

    #[test]
    fn trails_are_read() {
        check_read("1:0:3\n2:1:12\n", &[(0, 3), (1, 12)], false);
        check_read("-4:-4:-4\r\n1:0:3\r\n", &[(0, 3)], true);
        check_read("-2:1:-2\n1:0:9\n2:1:0\n-1:-1:-1\n3:2:1\n", &[(0, 0), (1, 1)], false);
        check_read("", &[], false);
        let shape = "line 2 of the trail is not `step:process:statement`, three numbers";
        check_refused("1:0:3\nx\n", shape);
        check_refused("1:0:3\n2:1\n", shape);
        check_refused("1:0:3\n2:1:4:5\n", shape);
        check_refused("1:300:3\n", "line 1 of the trail names no process (0 to 254)");
        check_refused("1:0:-3\n", "line 1 of the trail names no statement");
    }
}

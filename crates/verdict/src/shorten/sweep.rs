//! Which steps are dropped: chunks of all steps and of each process, larger ones first.

use super::attempt::{Goal, Tried, attempt};
use super::way::{Places, Way};
use super::{EFFORT, EFFORT_A_STEP, JUDGING};
use pverify_semantics::Engine;
use std::collections::BTreeSet;
use std::iter;

/// A way that was made shorter.
pub(super) struct Shorter {
    pub(super) way: Way,
    /// How many elementary steps it had.
    pub(super) length_before: u64,
}

/// A shorter way to the goal, if one was found.
pub(super) fn shorten(
    engine: &mut Engine<'_>,
    way: Way,
    goal: &mut Goal<'_, '_>,
) -> Option<Shorter> {
    let length_before = way.length();
    let effort = EFFORT.max(way.steps.len() as u64 * EFFORT_A_STEP);
    let known = Places::of(&way);
    let mut sweeper = Sweeper { engine, way, known, goal, effort };
    sweeper.cut_repeats();
    while sweeper.effort > 0 {
        let before = sweeper.way.length();
        sweeper.sweep(true);
        sweeper.sweep(false);
        if sweeper.way.length() == before {
            break;
        }
    }
    let way = sweeper.way;
    (way.length() < length_before).then_some(Shorter { way, length_before })
}

struct Sweeper<'e, 'm, 'g, 'a, 'j> {
    engine: &'e mut Engine<'m>,
    way: Way,
    known: Places,
    goal: &'g mut Goal<'a, 'j>,
    /// How many steps may still be tried.
    effort: u64,
}

impl Sweeper<'_, '_, '_, '_, '_> {
    /// Tries to drop chunks of the cycle, or of what comes before it.
    fn sweep(&mut self, of_cycle: bool) {
        let mut chunk = self.part(of_cycle).len().div_ceil(2);
        while chunk > 0 {
            let processes = self.way.steps.iter().filter_map(|steps| Some(steps.first()?.pid));
            let lanes: BTreeSet<u8> = processes.collect();
            for lane in iter::once(None).chain(lanes.into_iter().map(Some)) {
                let mut steps = self.lane(of_cycle, lane);
                let mut first = 0;
                while first < steps.len() && self.effort > 0 {
                    if self.drop(&steps[first..steps.len().min(first + chunk)], of_cycle) {
                        steps = self.lane(of_cycle, lane);
                    } else {
                        first += chunk;
                    }
                }
            }
            chunk /= 2;
        }
    }

    /// The steps of the cycle, or those before it.
    fn part(&self, of_cycle: bool) -> std::ops::Range<usize> {
        let end = self.way.steps.len();
        let turn = self.way.turn.unwrap_or(end);
        if of_cycle { turn..end } else { 0..turn }
    }

    /// Those that a process begins, or all.
    fn lane(&self, of_cycle: bool, pid: Option<u8>) -> Vec<usize> {
        let begins = |at: &usize| {
            let first = self.way.steps[*at].first();
            pid.is_none_or(|pid| first.is_some_and(|step| step.pid == pid))
        };
        self.part(of_cycle).filter(begins).collect()
    }

    /// Drops steps, if what is left is good.
    fn drop(&mut self, dropped: &[usize], of_cycle: bool) -> bool {
        let end = self.part(of_cycle).end;
        let known = (&self.way, &self.known);
        let tried = attempt(self.engine, known, self.goal, dropped, end, &mut self.effort);
        match tried {
            Tried::Met(turning) => self.take(self.way.turned(turning)),
            Tried::Meets(turning, place) => self.join(self.way.turned(turning), place),
            Tried::Ends(turning) if self.may_end(of_cycle) => {
                let turn = self.way.turn.map(|_| turning.end());
                self.judge(Way { turn, ..self.way.turned(turning) })
            }
            Tried::Ends(_) => false,
        }
    }

    /// Whether any end may be as good: of a way that is judged, or where nothing moves any more.
    fn may_end(&self, of_cycle: bool) -> bool {
        let turn = self.way.turn.unwrap_or(self.way.steps.len());
        matches!(self.goal, Goal::Judged(_)) && !of_cycle && turn == self.way.steps.len()
    }

    /// Goes on as the old way does from a place on.
    fn join(&mut self, mut new: Way, place: usize) -> bool {
        let (old, end) = (&self.way, self.way.steps.len());
        match old.turn {
            Some(turn) if new.steps.len() < turn && place >= turn => {
                // In the cycle, which begins here now.
                new.turn = Some(new.steps.len());
                if turn < end {
                    new.extend(old, place, end);
                    new.extend(old, turn, place);
                }
            }
            _ => {
                let shorter = place - new.steps.len();
                new.extend(old, place, end);
                new.turn = old.turn.map(|turn| if place <= turn { turn - shorter } else { turn });
            }
        }
        self.judge(new)
    }

    /// Takes a way if it is shorter and somebody says that it is as wrong.
    fn judge(&mut self, new: Way) -> bool {
        if new.length() >= self.way.length() {
            return false;
        }
        if let Goal::Judged(judge) = self.goal {
            self.effort = self.effort.saturating_sub(new.steps.len() as u64 * JUDGING);
            let (stem, cycle) = new.parts();
            if !judge(self.engine, stem, cycle) {
                return false;
            }
        }
        self.take(new)
    }

    fn take(&mut self, new: Way) -> bool {
        if new.length() >= self.way.length() {
            return false;
        }
        self.known = Places::of(&new);
        self.way = new;
        true
    }

    /// Leaves out rounds from a state to itself.
    fn cut_repeats(&mut self) {
        let mut at = 0;
        while at < self.way.steps.len() && self.effort > 0 {
            self.effort = self.effort.saturating_sub(1);
            let place = self.known.last(&self.way, &self.way.states[at]);
            if let Some(place) = place.filter(|place| *place > at) {
                let turn = self.way.turn.unwrap_or(usize::MAX);
                let end = self.way.steps.len();
                if at >= turn && place < end {
                    // A cycle within the cycle may be enough.
                    let mut inner = self.way.beginning(at);
                    inner.extend(&self.way, at, place);
                    inner.turn = Some(at);
                    if self.judge(inner) {
                        continue;
                    }
                }
                let whole_cycle = at == turn && place == end;
                if !whole_cycle && self.join(self.way.beginning(at), place) {
                    continue;
                }
            }
            at += 1;
        }
    }
}

//! Bounds by linear programs: the least weights that prove a channel bounded.
//!
//! The solver calculates with rounding. What it finds is made whole numbers over a small divisor and
//! checked exactly; only that makes a bound.

use super::channels::Channels;
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem};
use pverify_model::machine::Model;
use pverify_verdict::unbounded::net::{Local, Net};
use pverify_verdict::unbounded::weights::{self, check_net};
use pverify_verdict::unbounded::{Bound, Weights};

/// Divisors that are tried.
const DIVISORS: std::ops::RangeInclusive<i64> = 1..=24;

/// With more places, only plain nets and single paths are tried.
const SMALL: usize = 1500;

/// Looks for bounds of the channels of which nothing is known; why there is none for some.
pub(super) fn find(model: &Model, channels: &mut Channels) -> Option<&'static str> {
    let wanted = channels.unknown_numbers();
    if wanted.is_empty() {
        return None;
    }
    let local = match Local::of(model) {
        Ok(local) => local,
        Err(why) => return Some(why),
    };
    let mut missing = None;
    for paths in choices(&local.paths()) {
        let wanted = channels.unknown_numbers();
        if wanted.is_empty() {
            break;
        }
        match local.net(&paths) {
            Ok(net) if paths.len() < 2 || net.places.len() <= SMALL => {
                for channel in wanted {
                    if let Some(bound) = solve(model, &net, channel, &paths) {
                        channels.bounded(channel, bound.most, bound.weights);
                    }
                }
            }
            Ok(_) => {}
            Err(why) => missing = Some(why),
        }
    }
    missing
}

/// Which channels are treated as paths, simple choices first.
fn choices(paths: &[u8]) -> Vec<Vec<u8>> {
    let mut choices = vec![Vec::new()];
    choices.extend(paths.iter().map(|&path| vec![path]));
    for (at, &one) in paths.iter().enumerate() {
        choices.extend(paths[at + 1..].iter().map(|&other| vec![one, other]));
    }
    if (3..=4).contains(&paths.len()) {
        choices.push(paths.to_vec());
    }
    choices.truncate(64);
    choices
}

/// The least weights that bound a channel, if there are any.
fn solve(model: &Model, net: &Net, channel: u8, paths: &[u8]) -> Option<Bound> {
    let messages = net.messages.get(usize::from(channel))?;
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let variables: Vec<_> = (0..net.places.len())
        .map(|place| {
            let costs = net.initial.iter().filter(|&&at| at == place).count() as f64;
            let least = if messages.contains(&place) { 1.0 } else { 0.0 };
            problem.add_var(costs, (least, f64::INFINITY))
        })
        .collect();
    for transition in &net.transitions {
        let mut change: Vec<(usize, f64)> = Vec::new();
        let mut add = |place: usize, by: f64| match change.iter_mut().find(|(at, _)| *at == place) {
            Some((_, sum)) => *sum += by,
            None => change.push((place, by)),
        };
        transition.puts.iter().for_each(|&place| add(place, 1.0));
        transition.takes.iter().for_each(|&place| add(place, -1.0));
        let mut sum = LinearExpr::empty();
        change.retain(|(_, by)| *by != 0.0);
        change.iter().for_each(|&(place, by)| sum.add(variables[place], by));
        if !change.is_empty() {
            problem.add_constraint(sum, ComparisonOp::Le, 0.0);
        }
    }
    let solution = problem.solve().ok()?.into_solution().ok()?;
    let values: Vec<f64> = variables.iter().map(|&at| solution.var_value(at)).collect();
    DIVISORS.into_iter().find_map(|divisor| {
        let of: Vec<i64> =
            values.iter().map(|value| (value * divisor as f64).round() as i64).collect();
        check_net(net, channel, &of, divisor).ok()?;
        // Once more, from the model alone.
        weights::check(model, channel, Weights { paths: paths.to_vec(), of, divisor }).ok()
    })
}

//! A bound that anybody can check: weights on the places of a net that no transition increases.
//!
//! If no transition puts more weight than it takes, the weight of all tokens never grows. If besides
//! every message of a channel weighs at least one, the channel never holds more messages than all
//! tokens weigh at first. (Such weights are called a sub-invariant of the net; Leue and Wei use linear
//! programs of this kind for buffers of Promela models.) Weights are whole numbers over a common
//! divisor, and are compared as such: no rounding is involved.

use super::net::{Local, Net};
use pverify_model::machine::Model;

/// Weights for the places of a net, as whole numbers over a divisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The channels that the net treats as paths.
    pub paths: Vec<u8>,
    /// The weight of each place, to be divided.
    pub of: Vec<i64>,
    /// By this.
    pub divisor: i64,
}

/// A channel never holds more messages than this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The channel's number.
    pub channel: u8,
    /// The most messages.
    pub most: u64,
    /// Why.
    pub weights: Weights,
}

/// Why weights prove nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The model has no net.
    NoNet(&'static str),
    /// There are not as many weights as places.
    Count,
    /// The weight of a place is negative, or the divisor is not positive.
    Sign,
    /// A message of the channel weighs less than one.
    Light(usize),
    /// A transition increases the weight.
    Increases(usize),
    /// The numbers are too large.
    TooLarge,
}

/// Checks weights against the net of a model without capacities.
///
/// # Errors
/// When they prove nothing.
pub fn check(model: &Model, channel: u8, weights: Weights) -> Result<Bound, Wrong> {
    let net = Local::of(model).and_then(|local| local.net(&weights.paths)).map_err(Wrong::NoNet)?;
    let most = check_net(&net, channel, &weights.of, weights.divisor)?;
    Ok(Bound { channel, most, weights })
}

/// Checks weights against a net; the most messages of the channel.
///
/// # Errors
/// When they prove nothing.
pub fn check_net(net: &Net, channel: u8, weights: &[i64], divisor: i64) -> Result<u64, Wrong> {
    if weights.len() != net.places.len() {
        return Err(Wrong::Count);
    }
    if divisor < 1 || weights.iter().any(|weight| *weight < 0) {
        return Err(Wrong::Sign);
    }
    let messages = net.messages.get(usize::from(channel)).map_or(&[][..], Vec::as_slice);
    if let Some(&light) = messages.iter().find(|&&place| weights[place] < divisor) {
        return Err(Wrong::Light(light));
    }
    let sum = |places: &[usize]| {
        places.iter().try_fold(0_i64, |sum, &place| sum.checked_add(weights[place]))
    };
    for (at, transition) in net.transitions.iter().enumerate() {
        let takes = sum(&transition.takes).ok_or(Wrong::TooLarge)?;
        let puts = sum(&transition.puts).ok_or(Wrong::TooLarge)?;
        if puts > takes {
            return Err(Wrong::Increases(at));
        }
    }
    let initial = sum(&net.initial).ok_or(Wrong::TooLarge)?;
    Ok((initial / divisor) as u64)
}

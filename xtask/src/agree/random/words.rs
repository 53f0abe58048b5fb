//! The small parts of a random model: variables, values, conditions, sends and receives.
//!
//! All values stay small (bytes modulo 3, bits, three `mtype` names), so that the state space of
//! a model is finite and mostly below a few thousand states.

use rand::RngExt;
use rand::rngs::StdRng;

/// Something that can be assigned to.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) text: String,
    /// Values are taken modulo this.
    pub(crate) modulus: u8,
    /// Holds one of the `mtype` names.
    pub(crate) symbolic: bool,
}

/// A channel that somebody may use.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub(crate) name: String,
    pub(crate) capacity: u8,
    /// For each field of a message: is it an `mtype`?
    pub(crate) fields: Vec<bool>,
}

/// The source of all choices, and the names that can be used at the moment.
pub(crate) struct Words {
    pub(crate) random: StdRng,
    pub(crate) places: Vec<Place>,
    pub(crate) channels: Vec<Channel>,
}

impl Words {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.random.random_range(0..bound.max(1))
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn place(&mut self, symbolic: bool) -> Option<Place> {
        let fitting: Vec<Place> =
            self.places.iter().filter(|place| place.symbolic == symbolic).cloned().collect();
        let index = self.below(fitting.len());
        fitting.into_iter().nth(index)
    }

    fn channel(&mut self) -> Option<Channel> {
        let index = self.below(self.channels.len());
        self.channels.get(index).cloned()
    }

    /// A number that is 0, 1 or 2, mostly.
    pub(crate) fn value(&mut self) -> String {
        let number = |words: &mut Words| words.below(3).to_string();
        let Some(place) = self.place(false) else { return number(self) };
        let other = self.place(false).map_or_else(|| "1".to_owned(), |place| place.text);
        let text = place.text;
        match self.below(15) {
            0..5 => number(self),
            5..9 => text,
            9 => format!("({text} + {other})"),
            10 => format!("({text} {} 1)", self.pick(&["^", "&", "|", "-", "*", "<<", ">>"])),
            11 => format!("({} -> {text} : {other})", self.comparison()),
            12 => self.pick(&["_pid", "_nr_pr"]).to_owned(),
            13 => match self.channel() {
                Some(channel) => format!("len({})", channel.name),
                None => text,
            },
            _ => format!("!{text}"),
        }
    }

    fn symbol(&mut self) -> String {
        match self.place(true) {
            Some(place) if self.chance(30) => place.text,
            _ => self.pick(&["red", "green", "blue"]).to_owned(),
        }
    }

    /// `v = …`, always within the place's range.
    pub(crate) fn assignment(&mut self) -> String {
        let symbolic = self.chance(15);
        match self.place(symbolic) {
            Some(Place { text, symbolic: true, .. }) => format!("{text} = {}", self.symbol()),
            Some(Place { text, modulus, .. }) => match self.below(4) {
                0 => format!("{text} = ({text} + 1) % {modulus}"),
                1 => format!("{text} = {}", self.below(usize::from(modulus))),
                _ => format!("{text} = {} % {modulus}", self.value()),
            },
            None => "skip".to_owned(),
        }
    }

    /// Something that may block.
    pub(crate) fn condition(&mut self) -> String {
        match self.below(12) {
            0..6 => self.comparison(),
            6 | 7 => self.question(),
            8 => format!("({} && {})", self.comparison(), self.comparison()),
            9 => format!("({} || {})", self.comparison(), self.question()),
            10 => self.pick(&["_nr_pr < 3", "_nr_pr > 1", "true"]).to_owned(),
            _ => format!("!({})", self.comparison()),
        }
    }

    fn comparison(&mut self) -> String {
        let symbolic = self.chance(15);
        let Some(place) = self.place(symbolic) else { return "true".to_owned() };
        if symbolic {
            return format!("{} == {}", place.text, self.symbol());
        }
        let operator = self.pick(&["==", "!=", "<", ">", "<=", ">="]);
        let right = if self.chance(70) { self.below(3).to_string() } else { place.text.clone() };
        let left = if right == place.text { self.below(3).to_string() } else { place.text };
        format!("{left} {operator} {right}")
    }

    /// A question to a channel; a rendezvous channel cannot be asked.
    fn question(&mut self) -> String {
        let Some(channel) = self.channel().filter(|channel| channel.capacity > 0) else {
            return self.comparison();
        };
        let name = &channel.name;
        match self.below(7) {
            0 => format!("empty({name})"),
            1 => format!("nempty({name})"),
            2 => format!("full({name})"),
            3 => format!("nfull({name})"),
            4 => format!("len({name}) == 1"),
            5 => format!("{name}?[{}]", self.pattern(&channel, false)),
            _ => format!("{name}??[{}]", self.pattern(&channel, false)),
        }
    }

    pub(crate) fn send(&mut self) -> String {
        let Some(channel) = self.channel() else { return self.assignment() };
        let operator = if channel.capacity > 0 && self.chance(30) { "!!" } else { "!" };
        let fields: Vec<String> = channel
            .fields
            .iter()
            .map(|symbolic| if *symbolic { self.symbol() } else { format!("{} % 3", self.value()) })
            .collect();
        format!("{}{operator}{}", channel.name, fields.join(","))
    }

    pub(crate) fn receive(&mut self) -> String {
        let Some(channel) = self.channel() else { return self.condition() };
        let operator = if channel.capacity > 0 && self.chance(30) { "??" } else { "?" };
        let pattern = self.pattern(&channel, true);
        if channel.capacity > 0 && self.chance(15) {
            format!("{}{operator}<{pattern}>", channel.name)
        } else {
            format!("{}{operator}{pattern}", channel.name)
        }
    }

    /// What a receive expects; in a question nothing may be written.
    fn pattern(&mut self, channel: &Channel, writes: bool) -> String {
        let mut fields: Vec<String> = Vec::new();
        for symbolic in &channel.fields {
            let place = self.place(*symbolic);
            let constant = if *symbolic {
                self.pick(&["red", "green", "blue"])
            } else {
                self.pick(&["0", "1", "2"])
            };
            // SPIN takes a receive back by sending what the variables hold, which is wrong if one
            // is written twice, or tested and written, or too narrow for the value.
            let fresh = place.as_ref().is_some_and(|place| {
                !fields.iter().any(|field| field.contains(base(&place.text)))
                    && !["flag", "u"].contains(&base(&place.text))
            });
            fields.push(match (self.below(10), place) {
                (0..5, Some(place)) if writes && fresh => place.text,
                (5 | 6, Some(place)) if fresh => format!("eval({})", place.text),
                (7, _) if writes => "_".to_owned(),
                _ => constant.to_owned(),
            });
        }
        fields.join(",")
    }
}

/// The variable of a place, without index and field.
fn base(place: &str) -> &str {
    place.split(['[', '.']).next().unwrap_or(place)
}

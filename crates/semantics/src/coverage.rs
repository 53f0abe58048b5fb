//! Which statements have been executed, over all searches with an engine.
//!
//! An edge is compiled once for each place of the layout that its process can have; it counts as
//! executed if it was at one of them.

use crate::engine::Engine;

/// Whether an edge was executed: by process type, location, and position at the location.
pub type Executed = Vec<Vec<Vec<bool>>>;

impl Engine<'_> {
    /// What has been executed so far.
    pub fn executed(&self) -> Executed {
        let of_edges =
            |location: &pverify_model::machine::Location| vec![false; location.edges.len()];
        let processes = self.model.processes.iter();
        let mut executed: Executed = processes
            .map(|process| process.graph.locations.iter().map(of_edges).collect())
            .collect();
        for instance in &self.instances {
            let locations = &mut executed[instance.kind as usize];
            let ranges = &self.ranges[instance.ranges as usize..];
            for (location, range) in locations.iter_mut().zip(ranges) {
                for at in range.first..range.last {
                    let position = self.edges[at as usize].position as usize;
                    location[position] |= self.executed[at as usize];
                }
            }
        }
        if let Some(elsewhere) = &self.elsewhere {
            add(&mut executed, elsewhere);
        }
        executed
    }

    /// Counts what another engine of the same model has executed as executed by this one.
    pub fn absorb(&mut self, other: &Engine<'_>) {
        let mut executed = other.executed();
        if let Some(before) = &self.elsewhere {
            add(&mut executed, before);
        }
        self.elsewhere = Some(executed);
        self.catch_up_with_all();
    }

    /// Whether a process of a type was ever started.
    pub fn was_started(&self, kind: usize) -> bool {
        self.instances.iter().any(|instance| instance.kind as usize == kind)
    }
}

fn add(to: &mut Executed, more: &Executed) {
    let to = to.iter_mut().flatten().flatten();
    for (to, more) in to.zip(more.iter().flatten().flatten()) {
        *to |= more;
    }
}

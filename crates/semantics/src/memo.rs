//! What an engine has learnt on the way, as numbers: to go on later where it was.
//!
//! States name their shapes by numbers that were given out in the order in which shapes were met;
//! another run must give out the same. What has been executed is told too.

use crate::engine::Engine;

impl Engine<'_> {
    /// What must be written down.
    pub fn memo(&self) -> Vec<u64> {
        let shapes: Vec<u64> = (1..)
            .map_while(|number| self.registry.made_of(number))
            .map(|(parent, kind)| u64::from(parent) << 32 | u64::from(kind))
            .collect();
        let executed: Vec<bool> = self.executed().into_iter().flatten().flatten().collect();
        let words = executed.chunks(64).map(|bits| {
            bits.iter().enumerate().fold(0, |word, (at, &bit)| word | u64::from(bit) << at)
        });
        let lengths = [shapes.len() as u64, executed.len() as u64];
        lengths.into_iter().chain(shapes).chain(words).collect()
    }

    /// Takes over what an engine of the same model has written down; whether it is one.
    pub fn recall(&mut self, memo: &[u64]) -> bool {
        let [shapes, edges, rest @ ..] = memo else { return false };
        let mut executed = self.executed();
        let bits = executed.iter_mut().flatten().flatten();
        let (shapes, edges) = (*shapes as usize, *edges as usize);
        let Some((shapes, words)) = rest.split_at_checked(shapes) else { return false };
        if words.len() != edges.div_ceil(64) {
            return false;
        }
        let mut count = 0;
        for (at, bit) in bits.enumerate() {
            count += 1;
            *bit |= words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
        }
        if count != edges {
            return false;
        }
        let most = self.shape_field.bits.mask();
        let kinds = self.model.processes.len() as u64;
        for (at, &shape) in shapes.iter().enumerate() {
            let (parent, kind) = ((shape >> 32) as u32, shape as u32);
            let known = parent as usize <= at && u64::from(kind) < kinds;
            if !known || self.registry.number(parent, kind, most) != Some(at as u32 + 1) {
                return false;
            }
        }
        self.catch_up_with_all();
        self.elsewhere = Some(executed);
        self.shapes.len() > shapes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pverify_model::load::load_text;

    const MODEL: &str = "proctype A() { skip } proctype B() { skip } \
                         init { if :: run A(); run B() :: run B(); run A() :: skip fi }";

    struct All(Vec<Vec<u64>>);

    impl crate::successors::Visitor for All {
        fn next(&mut self, words: &[u64], _: u32, _: crate::successors::Path<'_>) {
            self.0.push(words.to_vec());
        }

        fn fault(&mut self, _: crate::fault::FaultKind, _: crate::successors::Path<'_>) {}
    }

    /// Everything that is reached within so many steps, in some order.
    fn explore(engine: &mut Engine<'_>, steps: usize, last_first: bool) -> Vec<Vec<u64>> {
        let mut all = vec![engine.initial().to_vec()];
        let mut level = all.clone();
        for _ in 0..steps {
            let mut next = All(Vec::new());
            level.iter().for_each(|state| engine.successors(state, &mut next));
            level = next.0;
            if last_first {
                level.reverse();
            }
            all.extend(level.iter().cloned());
        }
        all
    }

    #[test]
    fn an_engine_goes_on_with_the_numbers_of_another() {
        let loaded = load_text(MODEL);
        let mut first = Engine::new(&loaded.model);
        // Shapes are met in another order than a second engine would meet them in.
        let states = explore(&mut first, 4, true);
        let mut second = Engine::new(&loaded.model);
        assert!(second.recall(&first.memo()));
        assert_eq!(second.executed(), first.executed());
        for state in &states {
            let [mut one, mut other] = [All(Vec::new()), All(Vec::new())];
            first.successors(state, &mut one);
            second.successors(state, &mut other);
            assert_eq!(one.0, other.0);
        }
    }

    #[test]
    fn what_is_not_of_this_model_is_refused() {
        let (loaded, other) = (load_text(MODEL), load_text("byte x; init { x = 1; x = 2 }"));
        let mut engine = Engine::new(&loaded.model);
        explore(&mut engine, 4, false);
        let memo = engine.memo();
        assert!(!Engine::new(&other.model).recall(&memo));
        for length in 0..memo.len() {
            assert!(!Engine::new(&loaded.model).recall(&memo[..length]), "{length}");
        }
        let mut wrong = memo.clone();
        wrong[2] = 99 << 32;
        assert!(!Engine::new(&loaded.model).recall(&wrong));
    }
}

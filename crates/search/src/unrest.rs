//! Unrest: in tests, threads give way now and then where they look at what they share, so that orders
//! of events that are rare elsewhere are frequent. Outside tests there is none.

/// Here another thread may come first.
#[cfg(not(test))]
#[inline(always)]
pub(crate) fn give_way() {}

/// Here another thread may come first.
#[cfg(test)]
pub(crate) fn give_way() {
    use rand::RngExt;
    if rand::rng().random_range(0..64) == 0 {
        std::thread::yield_now();
    }
}

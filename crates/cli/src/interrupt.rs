//! Ctrl-C during a search: the first asks for an end with a report, the second ends the process.
//!
//! Two flags that signal handlers set, and nothing else happens in a handler. `signal-hook` does for
//! the second signal what the system does by default, so that the shell sees what it expects.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_default};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

/// Takes notice of Ctrl-C (SIGINT) and SIGTERM as long as it lives.
#[derive(Debug)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
    /// Whether the next signal ends the process.
    deadly: Arc<AtomicBool>,
}

impl Interrupt {
    /// Begins to take notice.
    pub(crate) fn listen() -> Self {
        let asked = Arc::new(AtomicBool::new(false));
        let deadly = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal is heard however early it comes, and does not see
            // the deadly flag that it sets itself.
            let listening = register(signal, Arc::clone(&asked))
                .and_then(|_| register_conditional_default(signal, Arc::clone(&deadly)))
                .and_then(|_| register(signal, Arc::clone(&deadly)));
            if listening.is_err() {
                deadly.store(true, SeqCst);
            }
        }
        Self { asked, deadly }
    }

    /// Whether the person has asked for an end.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Relaxed)
    }
}

impl Drop for Interrupt {
    /// Nobody looks at the flag any more: from now on a signal ends the process.
    fn drop(&mut self) {
        self.deadly.store(true, SeqCst);
    }
}

//! How much memory there is, and how much of it this process has.

use std::fs;

/// The memory a search may use for states and stacks, if the whole process must not have more than
/// `cap` bytes; without a cap, 80 % of what is free.
pub(crate) fn for_search(cap: Option<u64>, threads: usize) -> usize {
    let cap = cap.unwrap_or_else(|| free() / 10 * 8);
    // Besides what is there already: engines, small allocations and the slack of the allocator.
    let other = resident() + (6 << 20) + threads as u64 * (2 << 20);
    usize::try_from(cap.saturating_sub(other)).unwrap_or(usize::MAX).max(LEAST)
}

/// Less than this is of no use.
const LEAST: usize = 1 << 20;

/// What the machine has free, or the container, if that is less.
fn free() -> u64 {
    let machine = field("/proc/meminfo", "MemAvailable:");
    let number = |file: &str| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let limit = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current");
    let container = limit.map(|limit| limit.saturating_sub(used.unwrap_or(0)));
    match (machine, container) {
        (0, None) => UNKNOWN,
        (0, Some(container)) => container,
        (machine, container) => machine.min(container.unwrap_or(machine)),
    }
}

/// Where the system does not tell.
const UNKNOWN: u64 = 2 << 30;

/// The memory this process has, where the system tells; else 0.
pub(crate) fn resident() -> u64 {
    field("/proc/self/status", "VmRSS:")
}

/// The most memory this process has had, where the system tells.
pub(crate) fn peak() -> u64 {
    field("/proc/self/status", "VmHWM:")
}

/// A line of a file of the kernel, given in KiB, in bytes; 0 if it is not there.
fn field(file: &str, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

//! What the measuring programs write their figures with.

use std::fs;

/// A number with commas between the thousands.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

/// Cores, processor, system: what a reader needs to judge the figures.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown processor", |(_, model)| model.trim());
    let plural = if cores == 1 { "" } else { "s" };
    format!("{cores} core{plural}, {model}, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Time on the processor so far, which other programs do not lengthen; known on Linux.
pub fn busy_nanoseconds() -> Option<u64> {
    let times = fs::read_to_string("/proc/self/schedstat").ok()?;
    times.split_whitespace().next()?.parse().ok().filter(|&busy| busy > 0)
}

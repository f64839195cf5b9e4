//! What the measuring programs share: clocks, memory, figures for people.
//!
//! In:   what the system tells about itself.
//! Out:  time on the processor, the peak of memory, numbers in groups of three.

use std::fs;

pub use throng_cli::peak_kilobytes;

/// Time on the processor so far, which other programs do not lengthen; known on Linux.
pub fn busy_nanoseconds() -> Option<u64> {
    let times = fs::read_to_string("/proc/self/schedstat").ok()?;
    times.split_whitespace().next()?.parse().ok().filter(|&busy| busy > 0)
}

/// Time that this thread has spent on the processor, in nanoseconds: exact to well below a
/// microsecond, which the files of `/proc` are not (they are renewed every few milliseconds).
#[cfg(target_os = "linux")]
pub fn thread_nanoseconds() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}

/// Time on the clock, where the system does not tell time on the processor.
#[cfg(not(target_os = "linux"))]
pub fn thread_nanoseconds() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// A number with its digits in groups of three.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::{thousands, thread_nanoseconds};

    #[test]
    fn work_takes_time_on_the_processor() {
        let begin = thread_nanoseconds();
        let sum = (0..100_000u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
        std::hint::black_box(sum);
        assert!(thread_nanoseconds() > begin);
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        let all = [0, 999, 1_000, 1_234_567].map(thousands);
        assert_eq!(all, ["0", "999", "1,000", "1,234,567"]);
    }
}

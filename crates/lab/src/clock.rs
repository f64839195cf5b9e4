//! Time on the processor: what a busy machine does not stretch.
//!
//! In:   what the system tells about the thread.
//! Out:  nanoseconds.
//!
//! Depends on nothing of the workspace, so that packages outside it can take it as a file.

/// Time that this thread has spent on the processor, in nanoseconds: exact to well below a
/// microsecond, which the files of `/proc` are not (they are renewed every few milliseconds).
#[cfg(target_os = "linux")]
pub fn thread_nanoseconds() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}

/// Time that all threads of this program have spent on the processor, in nanoseconds.
#[cfg(target_os = "linux")]
pub fn process_nanoseconds() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}

/// The same clock as that of a thread, where the system does not tell time on the processor: what
/// other threads do is not seen.
#[cfg(not(target_os = "linux"))]
pub fn process_nanoseconds() -> u64 {
    thread_nanoseconds()
}

/// Time on the clock, where the system does not tell time on the processor.
#[cfg(not(target_os = "linux"))]
pub fn thread_nanoseconds() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_on_the_processor() {
        let begin = thread_nanoseconds();
        let sum = (0..100_000u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
        std::hint::black_box(sum);
        assert!(thread_nanoseconds() > begin);
    }
}

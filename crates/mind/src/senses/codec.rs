//! Senses as bytes and back: which sensors there are is the file's, the rest is theirs.

use super::{Asked, Clock, Senses, WAITING};
use crate::known::{Known, SensorOf};
use crate::time::after;
use throng_base::codec_struct;

codec_struct!(Asked { memory, state, here });

codec_struct!(
    in sensor: SensorOf;
    Clock { next, ran: past(after(sensor.now, 1)), state, heavy, idle, asleep }
    given { sensor: sensor.at }
);

codec_struct!(
    in known: Known<'_>;
    Senses { clocks each known.sensors(), waiting, asked, missed: long_counter }
    where |senses| senses.waiting.len() <= WAITING, "list of stimuli that wait"
    where |senses| senses.waiting.iter().all(|(at, it)| known.runs_on(usize::from(*at), it)),
        "stimulus that a sensor waits for"
);

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::codec::trial::comes_back;

    #[test]
    fn what_a_sensor_was_asked_about_comes_back() {
        comes_back::<Asked>(|trial, _| Asked {
            memory: trial.any(),
            state: trial.any(),
            here: trial.any(),
        });
    }
}

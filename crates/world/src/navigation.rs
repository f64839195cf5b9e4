//! Navigation: goes along a way, opens doors.

//! The same problems for GPGOAP, a planner in C of atoms that are on or off, where it is there.
//!
//! In:   actions by name: the atoms that each needs and sets, and its cost.
//! Out:  the names of a plan's actions.
//!
//! Its working memory is its own and there is one of it, so it is asked from one thread.

/// Atoms by name, and whether each is on.
pub type Atoms = Vec<(&'static str, bool)>;

/// An action: its name, what it needs, what it sets, its cost.
pub type Row = (&'static str, Atoms, Atoms, i32);

/// What is asked.
pub struct Question {
    pub start: Atoms,
    pub goal: Atoms,
    pub actions: Vec<Row>,
}

/// The Horse Breeder: a variable of three values is two atoms, of which one at most is on.
pub fn horse_breeder() -> Question {
    let atoms = ["hay in hands", "hay in feeder", "bucket in hands", "water in bucket", "water in trough"];
    let [hands, feeder, bucket, filled, trough] = atoms;
    let floor = (bucket, false);
    let stored = [(hands, false), (feeder, false)];
    Question {
        start: atoms.map(|atom| (atom, false)).to_vec(),
        goal: vec![(feeder, true), floor, (trough, true)],
        actions: vec![
            ("store_haystack", vec![(hands, true), floor], vec![(hands, false)], 1),
            ("take_haystack", vec![stored[0], stored[1], floor], vec![(hands, true)], 1),
            ("fill_feeder", vec![(hands, true), floor], vec![(hands, false), (feeder, true)], 1),
            ("drop_bucket", vec![(bucket, true), stored[0], stored[1]], vec![floor], 1),
            ("pick_up_bucket", vec![floor, stored[0], stored[1]], vec![(bucket, true)], 1),
            (
                "fill_bucket",
                vec![(filled, false), (trough, false), (bucket, true)],
                vec![(filled, true)],
                1,
            ),
            (
                "fill_trough",
                vec![(filled, true), (bucket, true)],
                vec![(filled, false), (trough, true)],
                1,
            ),
        ],
    }
}

#[cfg(gpgoap)]
mod linked {
    use super::Question;
    use std::ffi::{CStr, CString, c_char, c_int, c_void};

    unsafe extern "C" {
        fn peers_gpgoap_new() -> *mut c_void;
        fn peers_gpgoap_free(problem: *mut c_void);
        fn peers_gpgoap_start(problem: *mut c_void, atom: *const c_char, value: bool) -> bool;
        fn peers_gpgoap_goal(problem: *mut c_void, atom: *const c_char, value: bool) -> bool;
        fn peers_gpgoap_needs(
            problem: *mut c_void,
            action: *const c_char,
            atom: *const c_char,
            value: bool,
        ) -> bool;
        fn peers_gpgoap_sets(
            problem: *mut c_void,
            action: *const c_char,
            atom: *const c_char,
            value: bool,
        ) -> bool;
        fn peers_gpgoap_cost(problem: *mut c_void, action: *const c_char, cost: c_int) -> bool;
        fn peers_gpgoap_plan(problem: *mut c_void, plan: *mut *const c_char, room: c_int) -> c_int;
    }

    /// A problem in the memory of the library. It keeps pointers to the names, so they are kept too.
    pub struct Gpgoap {
        problem: *mut c_void,
        _names: Vec<CString>,
        plan: [*const c_char; 64],
    }

    impl Gpgoap {
        pub fn new(question: &Question) -> Option<Gpgoap> {
            // SAFETY: takes nothing; null is looked at.
            let problem = unsafe { peers_gpgoap_new() };
            if problem.is_null() {
                return None;
            }
            let mut made = Gpgoap { problem, _names: Vec::new(), plan: [std::ptr::null(); 64] };
            let mut fits = true;
            for &(atom, on) in &question.start {
                let atom = made.name(atom)?;
                // SAFETY: `problem` is alive, the name ends in a zero and lives as long.
                fits &= unsafe { peers_gpgoap_start(problem, atom, on) };
            }
            for &(atom, on) in &question.goal {
                let atom = made.name(atom)?;
                // SAFETY: as above.
                fits &= unsafe { peers_gpgoap_goal(problem, atom, on) };
            }
            for (action, needs, sets, cost) in &question.actions {
                let action = made.name(action)?;
                for &(atom, on) in needs {
                    let atom = made.name(atom)?;
                    // SAFETY: as above.
                    fits &= unsafe { peers_gpgoap_needs(problem, action, atom, on) };
                }
                for &(atom, on) in sets {
                    let atom = made.name(atom)?;
                    // SAFETY: as above.
                    fits &= unsafe { peers_gpgoap_sets(problem, action, atom, on) };
                }
                // SAFETY: as above.
                fits &= unsafe { peers_gpgoap_cost(problem, action, *cost) };
            }
            fits.then_some(made)
        }

        fn name(&mut self, name: &str) -> Option<*const c_char> {
            self._names.push(CString::new(name).ok()?);
            self._names.last().map(|name| name.as_ptr())
        }

        /// Plans; how many steps, or less than none.
        pub fn plan(&mut self) -> i32 {
            // SAFETY: `problem` is alive, and `plan` has room for as many names as are told.
            unsafe { peers_gpgoap_plan(self.problem, self.plan.as_mut_ptr(), 64) }
        }

        /// The names of the actions of a plan.
        pub fn names(&mut self) -> Option<Vec<String>> {
            let steps = usize::try_from(self.plan()).ok()?;
            // SAFETY: the first so many were written, and are names that we gave.
            let name = |&name: &*const c_char| unsafe { CStr::from_ptr(name) };
            let name = |at: &*const c_char| name(at).to_string_lossy().into_owned();
            self.plan.get(..steps).map(|plan| plan.iter().map(name).collect())
        }
    }

    impl Drop for Gpgoap {
        fn drop(&mut self) {
            // SAFETY: it is ours, and nobody frees it twice.
            unsafe { peers_gpgoap_free(self.problem) }
        }
    }
}

#[cfg(gpgoap)]
pub use linked::Gpgoap;

/// Where it is not there nobody has one.
#[cfg(not(gpgoap))]
pub enum Gpgoap {}

#[cfg(not(gpgoap))]
impl Gpgoap {
    pub fn new(_: &Question) -> Option<Gpgoap> {
        None
    }

    pub fn plan(&mut self) -> i32 {
        match *self {}
    }

    pub fn names(&mut self) -> Option<Vec<String>> {
        match *self {}
    }
}

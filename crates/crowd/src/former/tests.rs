//! Each part of a saved crowd comes back from its bytes; the whole from sound ones only.

use super::*;
use throng_base::codec::trial::{Trial, comes_back};
use throng_base::codec::{Decoder, Encoder};

fn goal(trial: &mut Trial) -> FormerGoal {
    let (name, facts, choice, serves) = (trial.any(), trial.any(), trial.any(), trial.any());
    FormerGoal { name, facts, choice, serves, amounts: GoalAmounts::default() }
}

#[test]
fn parts_come_back_from_their_bytes() {
    comes_back::<Choice>(|trial, _| Choice { stages: trial.any(), is_best: trial.any() });
    comes_back::<ActionAmounts>(|trial, _| ActionAmounts {
        ranges: trial.any(),
        comparisons: trial.any(),
        shifts: trial.any(),
    });
    comes_back::<FormerRange>(|trial, _| FormerRange {
        variable: trial.any(),
        words: trial.any(),
        numbers: trial.any(),
        ends: trial.any(),
    });
    comes_back::<GoalAmounts>(|trial, _| GoalAmounts {
        ranges: trial.any(),
        comparisons: trial.any(),
    });
    comes_back::<Rate>(|trial, _| Rate { every: trial.any(), urgency: trial.any() });
    comes_back::<FormerVariable>(|trial, _| FormerVariable {
        name: trial.any(),
        is_shared: trial.any(),
        values: words(trial),
    });
    comes_back::<FormerAction>(|trial, _| FormerAction {
        name: trial.any(),
        needs: trial.any(),
        sets: trial.any(),
        cost: trial.any(),
        amounts: ActionAmounts::default(),
    });
    comes_back::<FormerAmounts>(|trial, _| trial.any());
    comes_back::<FormerGoal>(|trial, _| goal(trial));
    comes_back::<FormerGroup>(|trial, _| FormerGroup {
        checks: trial.any(),
        forbidden: trial.any(),
        enabled: trial.any(),
        shared: trial.any(),
        rate: trial.any(),
    });
    comes_back::<FormerNpc>(|trial, _| FormerNpc {
        goal: trial.any(),
        group: trial.any(),
        urgency: trial.any(),
        waits: trial.any(),
        id: trial.any(),
        done: trial.any(),
    });
    comes_back::<FormerClaims>(|trial, _| FormerClaims {
        holders: trial.any(),
        heads: trial.any(),
    });
    comes_back::<Former>(|trial, _| former(trial));
    comes_back::<FormerPopulation>(|trial, _| FormerPopulation {
        crowds: (0..1 + trial.below(2)).map(|_| former(trial)).collect(),
        n_groups: 1,
        next_crowd: trial.any(),
        first: trial.any(),
    });
}

fn words(trial: &mut Trial) -> FormerValues {
    FormerValues::Words(trial.any::<Vec<String>>().into())
}

/// Some crowd whose parts fit together.
pub(crate) fn former(trial: &mut Trial) -> Former {
    let (n_variables, n_actions, n_checks) = (trial.below(4), trial.below(4), trial.below(3));
    let n_groups = 1 + trial.below(3);
    let mut list = |n: usize| -> Vec<bool> { (0..n).map(|_| trial.any()).collect() };
    let rows = list(4);
    let free = (0..4).filter(|&row| !rows[row as usize]).collect();
    let is_shared = list(n_variables);
    let groups = (0..n_groups).map(|_| FormerGroup {
        checks: list(n_checks),
        forbidden: list(n_actions),
        enabled: list(n_actions),
        shared: vec![0; n_variables],
        rate: Rate { every: 1, urgency: 0 },
    });
    let groups = groups.collect();
    let n_alive = rows.iter().filter(|is_alive| **is_alive).count();
    let n_private = is_shared.iter().filter(|is_shared| !**is_shared).count();
    Former {
        name: trial.any(),
        variables: is_shared
            .iter()
            .map(|&is_shared| FormerVariable { name: trial.any(), is_shared, values: words(trial) })
            .collect(),
        actions: (0..n_actions).map(|_| trial.any()).collect(),
        preferences: trial.any(),
        checks: (0..n_checks).map(|_| trial.any()).collect(),
        goals: vec![goal(trial)],
        groups,
        rows: rows.into_iter().map(|is_alive| (trial.any(), is_alive)).collect(),
        free,
        crowd: trial.any(),
        npcs: (0..n_alive)
            .map(|_| FormerNpc {
                goal: trial.below(2) as u16,
                group: trial.below(n_groups) as u16,
                urgency: trial.any(),
                waits: trial.any(),
                id: [0, 1, 2, 3, 4, 1 << 31 | 3][trial.below(6)],
                done: trial.any(),
            })
            .collect(),
        values: (0..n_alive * n_private).map(|_| trial.any()).collect(),
        plans: vec![trial.any()],
        word: vec![0, 1],
        is_narrow: trial.any(),
        frame: trial.below(1000) as u64,
        served_after: trial.any(),
        planned_after: trial.any(),
        claims: FormerClaims::default(),
    }
}

#[test]
fn a_crowd_whose_parts_do_not_fit_is_refused() {
    type Wrong = fn(&mut Former);
    let wrongs: [Wrong; 10] = [
        |it| it.groups.clear(),
        |it| it.groups[0].checks.push(true),
        |it| it.groups[0].enabled.push(true),
        |it| it.groups[0].shared.push(1),
        |it| it.values.push(1),
        |it| it.rows.push((0, true)),
        |it| it.free.push(4),
        |it| it.npcs.iter_mut().for_each(|npc| npc.goal = 2),
        |it| it.npcs.iter_mut().for_each(|npc| npc.group = 9),
        |it| it.npcs.iter_mut().for_each(|npc| npc.id = 5),
    ];
    let mut trial = Trial::new(3);
    for wrong in wrongs {
        let mut some = former(&mut trial);
        while some.npcs.is_empty() {
            some = former(&mut trial);
        }
        let read = |some: &Former| Decoder::new(&Encoder::bytes_of(some)).read::<Former>().is_ok();
        assert!(read(&some));
        wrong(&mut some);
        assert!(!read(&some));
    }
}

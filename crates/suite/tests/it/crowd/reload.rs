//! A new version of the domain for both; a crowd saved and restored.

use super::*;

impl Both {
    /// A new version of the domain: a price, an action less, a name, a goal less or of another
    /// priority.
    pub(super) fn reload(&mut self, dice: &mut SplitMix) {
        let mut json = self.json.clone();
        let mut renamed = None;
        let actions = json["actions"].as_array_mut().unwrap();
        match dice.below(5) {
            3 => {
                let goal = dice.below(json["goals"].as_array().unwrap().len());
                json["goals"][goal]["priority"] = json!(dice.within(1, 4));
            }
            4 => {
                let goals = json["goals"].as_array_mut().unwrap();
                let gone = goals.remove(dice.below(goals.len()))["name"].clone();
                for npc in json["npcs"].as_array_mut().into_iter().flatten() {
                    npc["wants"].as_array_mut().unwrap().retain(|name| *name != gone);
                }
            }
            0 => {
                let at = dice.below(actions.len());
                actions[at]["cost"] = json!(dice.within(1, 9));
            }
            1 if actions.len() > 1 => {
                let gone = actions.remove(dice.below(actions.len()))["name"].clone();
                for action in json["actions"].as_array_mut().unwrap() {
                    if let Some(list) = action.get_mut("overrides") {
                        list.as_array_mut().unwrap().retain(|name| *name != gone);
                    }
                }
                for npc in json["npcs"].as_array_mut().into_iter().flatten() {
                    npc["can"].as_array_mut().unwrap().retain(|name| *name != gone);
                }
                for group in &mut self.groups {
                    group.forbidden.retain(|name| json!(name) != gone);
                }
            }
            _ => {
                let variables = json["variables"].as_array().unwrap();
                let old = dice.pick(variables)["name"].as_str().unwrap().to_string();
                let new = format!("n{}", dice.number() % 1_000_000);
                let text = json.to_string().replace(&format!("\"{old}\""), &format!("\"{new}\""));
                json = serde_json::from_str(&text).unwrap();
                let variables = json["variables"].as_array_mut().unwrap();
                let variable = variables.iter_mut().find(|v| v["name"] == json!(new)).unwrap();
                variable["was"] = json!([old]);
                renamed = Some((old, new));
            }
        }
        // An edit may leave a check without an action that asks for it, or the type with nothing
        // to do; then there is no such version.
        let Ok(next) = Domain::from_json(&json.to_string()) else { return };
        let before: Vec<bool> = self
            .npcs
            .iter()
            .map(|npc| self.crowd.status(npc.handle) == Some(Status::Waiting))
            .collect();
        let touched_before: Vec<String> = self
            .domain
            .model()
            .variables()
            .iter()
            .map(|v| v.name().to_string())
            .filter(|name| self.is_touched(name))
            .collect();
        let migration = self.crowd.reload(next.compiled_arc()).unwrap();
        self.domain = next;
        self.json = json;
        let rename = |facts: &mut Facts| {
            if let Some((old, new)) = &renamed
                && let Some(value) = facts.remove(old)
            {
                facts.insert(new.clone(), value);
            }
        };
        let known: Vec<&str> = self.domain.compiled().map().check_names().collect();
        for group in &mut self.groups {
            rename(&mut group.shared);
            group.without.retain(|check| known.contains(&check.as_str()));
        }
        self.npcs.iter_mut().for_each(|npc| rename(&mut npc.values));
        for goal in &mut self.goals {
            let is_gone = match &mut goal.asks {
                Asks::Facts(facts) => {
                    rename(facts);
                    false
                }
                Asks::Any(names) => {
                    names.retain(|name| self.domain.goal(name).is_ok());
                    names.is_empty()
                }
                Asks::Name(name) => self.domain.goal_target(name).is_err(),
                Asks::Best => false,
            };
            if is_gone {
                goal.asks = Asks::Facts(Facts::new());
            }
        }
        // What the type no longer touches, the crowd no longer knows; `starts` are touched.
        let _ = touched_before;
        for at in 0..self.npcs.len() {
            let mut values = std::mem::take(&mut self.npcs[at].values);
            values.retain(|name, _| self.is_touched(name));
            self.npcs[at].values = values;
        }
        for at in 0..self.groups.len() {
            let mut shared = std::mem::take(&mut self.groups[at].shared);
            shared.retain(|name, _| self.is_touched(name));
            self.groups[at].shared = shared;
        }
        let waits = |npc: &PlainNpc| self.crowd.status(npc.handle) == Some(Status::Waiting);
        let concerned =
            self.npcs.iter().zip(&before).filter(|(npc, was)| waits(npc) && !**was).count();
        assert_eq!(migration.concerned, concerned);
        assert_eq!(migration.kept, self.npcs.len() - concerned);
        self.tally.reloads += 1;
        self.tally.kept += migration.kept as u64;
    }

    /// The crowd goes on from its bytes: every NPC as it was.
    pub(super) fn save_and_restore(&mut self) {
        let bytes = self.crowd.save();
        let pool = Arc::new(Pool::new(1 + self.npcs.len() % 3));
        let restored = Crowd::restore(&bytes, self.domain.compiled_arc(), self.settings, pool);
        let (mut again, migration) = restored.unwrap();
        let mut unchanged = Migration::default();
        unchanged.kept = self.npcs.len();
        assert_eq!(migration, unchanged, "{}", self.json);
        assert_eq!((again.digest(), again.save()), (self.crowd.digest(), bytes), "{}", self.json);
        self.crowd = again;
        self.tally.saves += 1;
    }
}

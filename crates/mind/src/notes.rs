//! The words by which a file speaks to others than the planner, for all that load one.
//!
//! A story stands in the same file as the minds that it is about, and a
//! game or a replay that loads the file reads over it. So its words stand here too: the world, which plays
//! stories, is above the crates that load.

use throng_domain::notes::{Keyword, NoteWords, Role};

/// All words of notes: those of minds, then those of stories.
pub static WORDS: [&NoteWords; 2] = [&MINDS, &STORIES];

/// One list of all owners: `listed(|words| words.statements)`.
pub fn listed(list: fn(&NoteWords) -> &'static [Keyword]) -> Vec<&'static Keyword> {
    WORDS.iter().flat_map(|words| list(words)).collect()
}

/// How a mind senses, remembers, chooses and acts; read by [`Spec`](crate::spec::Spec).
pub static MINDS: NoteWords = NoteWords {
    statements: &[
        Keyword::new("sensor", "sensor see_enemy: on sight keeps 8 feeds target"),
        Keyword::new(
            "symbol",
            "symbol target: dead if character(knowledge = dead), node of self, none",
        )
        .with(Role::SetsVariable),
        Keyword::new("check", "check near: character(knowledge = alive, distance < 12)")
            .with(Role::AnswersCheck),
        Keyword::new("select", "select cover: best 3 of spot(knowledge = cover)")
            .with(Role::Selects),
        Keyword::new("price", "price go: amount of path(node = it), 4 if danger"),
        Keyword::new("learn", "learn dive: deed(event = dive)"),
        Keyword::new("flavour", "flavour wave: after attack if not danger every 20 takes 1.5"),
        Keyword::new("beside", "beside call_out: say(contact) if danger uses voice every 6")
            .with(Role::NamesItself),
        Keyword::new("fact", "fact weather: knowledge as sky = dry, rain"),
        Keyword::new("body", "body kit"),
        Keyword::new("squad", "squad fireteam: of soldier within 8 most 5 least 2 tasks 60"),
        Keyword::new("formation", "formation wedge: 0 0, -1.5 -1.5, 1.5 -1.5"),
    ],
    action_clauses: &[
        Keyword::new("does", "does attack").with(Role::NamesCode),
        Keyword::new("takes", "takes 1.5"),
        Keyword::new("uses", "uses legs").with(Role::OfCompoundsToo),
        Keyword::new("first", "first noise shout radius 10"),
        Keyword::new("then", "then forgets stir and tells target to squad"),
        Keyword::new("else", "else remembers blocked(node = it) for 20"),
        Keyword::new("finally", "finally forgets order"),
        Keyword::new("cooldown", "cooldown 12 of squad"),
        Keyword::new("chance", "chance 0.3 per 10"),
    ],
    goal_clauses: &[
        Keyword::new("relevance", "relevance sure stimulus of character times if danger"),
        Keyword::new("margin", "margin 0.2"),
        Keyword::new("keep", "keep 2"),
        Keyword::new("cooldown", "cooldown 5"),
        Keyword::new("reconsiders", "reconsiders 2"),
        Keyword::new("lingers", "lingers 0.4"),
        Keyword::new("urgent", "urgent"),
    ],
    npc_clauses: &[
        Keyword::new("senses", "senses see_enemy, lever_sense"),
        Keyword::new("otherwise", "otherwise wait after 2").with(Role::NamesAction),
        Keyword::new("memory", "memory 48"),
        Keyword::new("doubt", "doubt 2 for 10"),
        Keyword::new("retry", "retry 1"),
        Keyword::new("commits", "commits 0.3"),
    ],
};

/// What happens in a story, and what it promises; read by the world that plays it.
pub static STORIES: NoteWords = NoteWords {
    statements: &[
        Keyword::new("story", "story door \"He goes through the window.\" lasts 30 pace 10"),
        Keyword::new("map", "map \"####\" \"#A.#\" \"####\"").with(Role::Rows),
        Keyword::new("thing", "thing gate at D: door shut, open needs lever = down")
            .with(Role::Places { after: "" }),
        Keyword::new("node", "node ledge at W: cover needs gate = open")
            .with(Role::Places { after: "" }),
        Keyword::new("actor", "actor bob at A: npc soldier side red weapon rifle health 100")
            .with(Role::Places { after: "npc" }),
        Keyword::new("at", "at 3.5: eve moves to W").with(Role::OwnNames),
        Keyword::new("when", "when eve at W: gate = open").with(Role::OwnNames),
        Keyword::new("promise", "promise bob does go, attack by 20").with(Role::OwnNames),
    ],
    action_clauses: &[],
    goal_clauses: &[],
    npc_clauses: &[],
};

//! The catalogue: every kind of mistake with its code, in one table.
//!
//! Codes never change meaning and are never reused; a retired one stays a gap. Each has a
//! golden file in `domains/rejected` and a line in `docs/diagnostics.md`; tests see to both.

use super::Severity;

macro_rules! catalogue {
    ($($name:ident $id:literal $title:literal;)*) => {
        /// A kind of mistake.
        #[non_exhaustive]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The stable code, such as `E050`: `E` stops the load, `W` does not.
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $id,)* }
            }

            /// What kind of mistake it is, in one sentence.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }
        }
    };
}

impl Code {
    /// Error or warning, as the code's letter says.
    pub fn severity(self) -> Severity {
        match self.id().starts_with('W') {
            true => Severity::Warning,
            false => Severity::Error,
        }
    }
}

catalogue! {
    // Files.
    TextTooLarge "E001" "The text is larger than the limit.";
    NotText "E002" "The file is not UTF-8 text.";
    CannotRead "E003" "A file cannot be read.";
    IncludeOutside "E004" "An included file lies outside the folder of the first file.";
    IncludeCircle "E005" "Files include each other in a circle.";
    TooManyFiles "E006" "Too many included files, or nested too deep.";
    NoDomain "E007" "The first file does not name its domain.";
    TwoDomains "E008" "The domain is named twice in one file.";

    // Characters and words.
    UnexpectedCharacter "E010" "A character that has no meaning here.";
    UnclosedText "E011" "A quoted text is not closed on its line.";
    BadName "E012" "A word that is neither a name nor a number.";
    BadInteger "E013" "A whole number was expected.";
    NameTooLong "E014" "A name is longer than the limit.";

    // Statements and clauses.
    ContinuationWithoutStatement "E020" "An indented line continues nothing.";
    UnknownStatement "E021" "A line begins with a word that begins no statement.";
    UnknownClause "E022" "A word stands where a clause should begin.";
    ClauseTwice "E023" "A clause is written twice in one statement.";
    Expected "E024" "Something is missing, or stands in the wrong place.";
    UnknownExpectation "E025" "A test expects something that cannot be expected.";

    // Declared twice.
    VariableTwice "E030" "A variable is declared twice.";
    ValueTwice "E031" "A variable has a value twice.";
    ActionTwice "E032" "An action is declared twice.";
    GoalTwice "E033" "A goal is declared twice.";
    NpcTwice "E034" "An NPC type is declared twice.";
    CapabilityTwice "E035" "A capability is declared twice.";
    TestTwice "E036" "A test is declared twice.";
    ParameterTwice "E037" "A template has a parameter twice.";
    CapabilityIsAction "E038" "A capability has the name of an action.";

    // Compounds, kinds and wishes.
    PartsDoNotFollow "E040" "A part of a compound needs what an earlier part contradicts.";
    NotOneAction "E041" "A part of a compound is not one plain action.";
    PartsGiveOther "E042" "A compound is said to require or set something else than its parts.";
    KindTwice "E043" "An action has a kind twice.";
    PrefersItself "E044" "An action should come before itself.";

    // Unknown names.
    UnknownVariable "E050" "A variable that no `var` line declares.";
    UnknownValue "E051" "A value that the variable does not have.";
    UnknownAction "E052" "An action or capability that is not declared.";
    UnknownGoal "E053" "A goal that is not declared.";
    UnknownNpc "E054" "An NPC type that is not declared.";
    UnknownCheck "E055" "A context check that no action asks for.";

    // Meaning.
    NoValues "E060" "A variable has no value.";
    EmptyRange "E061" "A range ends before it begins.";
    RequiresTwoValues "E062" "An action requires two values of one variable.";
    SetsTwoValues "E063" "An action sets two values of one variable.";
    WantsTwoValues "E064" "A goal wants two values of one variable.";
    StartsTwice "E065" "A variable starts with two values.";
    ComparesWords "E066" "Words are compared by size.";
    CountsWithWords "E067" "Words are counted with.";
    NeedsExactValue "E068" "A goal or start must name an exact value.";
    NothingExists "E069" "No combination of values makes the statement possible.";
    CostNotPositive "E070" "A cost is not a number above zero.";
    PriorityNotANumber "E071" "A priority is not a number.";
    NumberTooLarge "E072" "A number is too large.";
    TooManyPlaces "E073" "A number has more than three places after the point.";
    ContradictoryCheck "E074" "An action asks for a check and for its opposite.";
    OverridesItself "E075" "An action overrides itself.";
    GoalAndTo "E076" "A test has both `goal` and `to`.";
    WithoutAndOnly "E077" "A test has both `without` and `only`.";
    ExpectsNothing "E078" "A test expects nothing.";
    TestNamesNobody "E079" "A test does not say whom it tests.";

    // JSON.
    JsonSyntax "E080" "The text is not JSON.";
    JsonTooDeep "E081" "The JSON nests deeper than the limit.";
    JsonMissingKey "E082" "A key is missing.";
    JsonUnknownKey "E083" "A key that has no meaning here.";
    JsonKeyTwice "E084" "A key stands twice in one object.";
    JsonWrongType "E085" "A JSON value of the wrong type.";
    JsonVersion "E086" "A version of the format that this reader does not know.";
    JsonName "E087" "A text that cannot be a name.";

    // Limits.
    TooManyVariables "E090" "More variables than the limit.";
    TooManyValues "E091" "More values than the limit.";
    TooManyActions "E092" "More actions than the limit.";
    TooManyDeclarations "E093" "More goals, NPC types, capabilities, tests or checks than the limit.";
    TemplateTooLarge "E094" "A template becomes more actions or goals than the limit.";
    TooMuchInTotal "E095" "The domain, written out, is larger than the limit.";
    TooManyAlternatives "E096" "Conditions with `or` have more alternatives than the limit.";
    ConditionsTooDeep "E097" "Conditions nest deeper than the limit.";

    // Notes: minds and stories.
    NoteExpected "E100" "Something is missing in a line about minds or stories.";
    NoteUnknown "E101" "A name that a line about minds or stories does not know.";
    NoteNumber "E102" "A number in a line about minds or stories is out of range.";
    NoteTwice "E103" "Something about minds or stories is said twice.";
    NoteSense "E104" "A line about minds or stories makes no sense together with the others.";

    // PDDL: texts and sections.
    PddlUnclosed "E110" "A parenthesis of a PDDL file is not closed.";
    PddlNothingOpen "E111" "A closing parenthesis of a PDDL file closes nothing.";
    PddlNoDefinition "E112" "A PDDL file is not one `(define (domain …) …)` or `(define (problem …) …)`.";
    PddlSwapped "E113" "A PDDL problem stands where the domain is expected, or the other way round.";
    PddlUnknownSection "E114" "A keyword that PDDL does not have in this place.";
    PddlSectionTwice "E115" "A section of a PDDL file is written twice.";

    // PDDL: names and arguments.
    PddlGluedType "E116" "No blank between `-` and the type after it.";
    PddlUnknownType "E117" "A type that `(:types …)` does not declare.";
    PddlUnknownPredicate "E118" "A predicate that `(:predicates …)` does not declare.";
    PddlWrongCount "E119" "A predicate or function with another number of arguments than declared.";
    PddlUnknownObject "E120" "An object that neither the domain nor the problem declares.";
    PddlUnknownVariable "E121" "A variable that no list of parameters declares.";
    PddlUnknownFunction "E122" "A function that `(:functions …)` does not declare.";
    PddlReserved "E123" "A word of PDDL itself is declared as a name.";

    // PDDL: meaning.
    PddlTwoValues "E124" "A fact starts as true and false, or a function with two values.";
    PddlCost "E125" "A cost is not a number of zero or more.";
    PddlDerivedSet "E126" "A derived predicate is set by an action or by the initial state.";
    PddlNotStratified "E127" "Rules of derived predicates lead through `not` back to themselves.";

    // PDDL: features that are known and not planned with.
    PddlDurative "E130" "Durative actions.";
    PddlNumeric "E131" "Numbers beyond counting and action costs.";
    PddlPreference "E132" "Preferences.";
    PddlConstraint "E133" "Constraints on the way of the plan.";
    PddlTimed "E134" "Initial facts that come true later.";
    PddlProcess "E135" "Processes and events.";
    PddlMetric "E136" "A metric other than the least total cost.";
    PddlObjectFluent "E137" "Functions whose values are objects.";
    PddlUncertain "E138" "Effects that may turn out one way or another.";
    PddlNetwork "E139" "Tasks and methods of hierarchical planning.";

    // Minds: selects, checks, effects, levels.
    SelectCircle "E140" "Selections wait for each other in a circle.";
    UndeclaredCheck "E141" "A check that nobody declares, where declarations begin.";
    CheckOrVariable "E142" "`if` names a variable, or `while` a check.";
    BehaviourParameter "E143" "A behaviour is given too little, too much, a sort instead of a thing, or what is not there.";
    SharedWithMinds "E144" "A variable is shared, and every mind has its own.";
    SelectName "E145" "A select is called like a variable, like another select, or like a word beside its slots.";
    TooManySlots "E146" "More selects or slots than can be.";
    NoReference "E147" "A reference to something where there is none: `it`, a slot, or `from`.";
    NotComparable "E148" "A thing of the game is compared with a word that is no slot.";
    EffectOfNothing "E149" "An effect that nobody could notice.";
    ChannelNeverFree "E150" "A channel that there is none of, or that is never free for what is done beside.";
    NeedsUnknown "E151" "An action `needs` what it is about, and nothing says what that needs or whether it is there.";
    SortSize "E152" "A level has no member of a sort whose members are values, or too many.";
    SquadPart "E153" "A squad's leader, formation or report is none.";
    AskWithoutDefault "E154" "A check asks the game, and nobody says what holds until there is an answer.";

    // Amounts.
    OutsideRange "E160" "A number is outside the range of its amount.";
    TooManyParts "E161" "Conditions leave the values of a variable in too many parts.";
    ComparedAmountChanges "E162" "An amount is compared with one that may change.";
    CountsBackwards "E163" "An amount is counted by less than nothing.";
    ParameterOverAmount "E164" "A parameter would stand for every number of an amount.";
    PartsDoNotCompose "E165" "What the parts of a compound do to an amount is no single change.";

    // Warnings.
    UnusedVariable "W100" "No action and no goal uses a variable.";
    SingleValue "W101" "A variable has a single value.";
    NobodySets "W102" "A wanted value that no action sets and nobody starts with.";
    SetsWhatItRequires "W103" "An action sets a value it requires.";
    ChangesNothing "W104" "An action changes nothing.";
    EqualActions "W105" "Two actions do the same.";
    EmptyGoal "W106" "A goal wants nothing.";
    UnusedParameter "W107" "A template does not use a parameter.";
    ListedTwice "W108" "A list has an entry twice.";
    OverridesForever "W109" "An action without a check overrides another, so that one is never there.";
    OverridesInACircle "W110" "Actions override each other in a circle.";
    CanDoNothing "W111" "An NPC type can do nothing.";
    NobodyCan "W112" "An action that no NPC type can do.";
    NobodyWants "W113" "A goal that no NPC type wants.";
    UnusedCapability "W114" "A capability that no NPC type has.";
    FormerNameInUse "W115" "A former name is a present name too.";
    SquadWithoutCode "W116" "A squad has an action that nothing does and that takes no time.";
    TaskNotKnown "W117" "A squad gives tasks that its members have no value for.";
    CheckLooksLikeAnother "W118" "A check is called like a variable, or nearly like one or another check.";

    // Warnings about PDDL.
    PddlTypeTwice "W120" "A type is declared twice; it has both parents.";
    PddlTypeImplied "W121" "A type stands only as the parent of another.";
    PddlTypeCircle "W122" "Types are below each other in a circle.";
    PddlObjectType "W123" "The type `object` is declared.";
    PddlObjectTwice "W124" "An object or constant is declared twice; it has both types.";
    PddlPredicateTwice "W125" "A predicate or function is declared twice.";
    PddlRequirement "W126" "A feature is used that `(:requirements …)` does not name.";
    PddlUnknownRequirement "W127" "A requirement that is unknown or not supported.";
    PddlOtherDomain "W128" "The problem names another domain.";
    PddlNegativeFact "W129" "The initial state says what does not hold.";
    PddlOtherType "W130" "An argument that is never of the declared type.";
    PddlInferred "W131" "Predicates or objects are not declared and taken from their uses.";
    PddlBareSections "W132" "Sections stand without `(define …)` around them.";
    PddlGluedVariable "W133" "A variable begins right after a word, without a blank between.";

    // Warnings about selects and effects.
    NeedNobodyMeets "W141" "A level says that something needs another thing first, and no plan can know or bring it about.";
    PlacesCostTheSame "W142" "A walk costs the same to several places that serve alike.";
    AnyCharacter "W143" "A symbol asks for anybody where the attack is about one.";
    NoWillOfHisOwn "W144" "A member of a squad wants nothing but what it is told to.";
    WordBesideSlots "W145" "A template has an action for a word that stands for nothing beside slots.";
    UnusedSelect "W146" "A select that nothing uses, or that its level never fills.";
    SelectWithoutScore "W147" "A select of several without a score.";
    PickTwitches "W148" "A score by distance, with neither margin nor time to keep.";
    SpotForSeveral "W149" "Several minds may run to one spot.";
    NobodySensesIt "W150" "Members of a squad share what none of them can sense.";
    EffectUnseen "W151" "An action is to change what nothing that it does can change.";
    LeftToChance "W152" "Chance before the only way to an urgent goal.";
    ToldInVain "W153" "Facts are told to all, and nobody asks for shared ones.";
    RememberedInVain "W154" "An action remembers facts that nobody asks for.";

    // Warnings about amounts.
    CountsByNothing "W160" "An amount is counted by nothing.";
    SaysNothingNew "W161" "A condition on an amount says nothing new.";
    NumbersInName "W162" "A name has the numbers of an amount in it, as it had before.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_rise() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].id() < pair[1].id()));
        assert!(Code::ALL.len() >= 60);
    }
}

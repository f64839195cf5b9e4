//! Why a condition does not hold: its smallest failing part, in words.
//!
//! In:   a condition that does not hold, and the objects its variables stand for.
//! Out:  words that follow "needs": `(at a), which does not hold`.
//! Cost: that of judging the condition again, at each level of nesting.

use super::matching::{Wanted, exists, holds};
use super::world::{Binding, World};
use crate::lifted::{Atom, Condition, NumberTerm, Parameter, Term, type_text};

/// Longest text of a part that is quoted.
const LONGEST: usize = 200;

/// What fails in a condition that does not hold.
pub(super) fn explain(world: &World<'_>, condition: &Condition, binding: &mut Binding) -> String {
    match condition {
        Condition::And(parts) => match parts.iter().find(|part| !holds(world, part, binding)) {
            Some(part) => explain(world, part, binding),
            None => "nothing more".to_string(),
        },
        Condition::Atom(_) => format!("{}, which does not hold", text(world, condition, binding)),
        Condition::Imply(first, second) => {
            let because = text(world, first, binding);
            format!("{}, because {because} holds", explain(world, second, binding))
        }
        Condition::Forall(parameters, part) => {
            // Ends with objects for which it fails: of one variable the first.
            match parameters.len() {
                1 => world.some(parameters, binding, &mut |binding| !holds(world, part, binding)),
                _ => exists(world, parameters, Wanted { condition: part, is: false }, binding),
            };
            let objects = parameters.iter().map(|p| {
                let object = binding[p.variable as usize].0 as usize;
                format!("?{} = {}", p.name, world.task.objects[object].name)
            });
            let objects = objects.collect::<Vec<_>>().join(", ");
            format!("{} (for {objects})", explain(world, part, binding))
        }
        Condition::Compare(_, first, second) => {
            let written = text(world, condition, binding);
            format!("{written}, and {}", values(world, [first, second], binding))
        }
        Condition::Not(part) if matches!(**part, Condition::Compare(..)) => {
            let written = text(world, condition, binding);
            let Condition::Compare(_, first, second) = &**part else { return written };
            format!("{written}, and {}", values(world, [first, second], binding))
        }
        Condition::Equal(..) => format!("{}, and they differ", text(world, condition, binding)),
        Condition::Not(part) if matches!(**part, Condition::Equal(..)) => {
            format!("{}, and they are the same", text(world, condition, binding))
        }
        Condition::Or(parts) if parts.is_empty() => "(or), which never holds".to_string(),
        Condition::Or(_) => {
            format!("{}, and none of them holds", text(world, condition, binding))
        }
        Condition::Exists(..) => format!("{}, and there is none", text(world, condition, binding)),
        Condition::Not(part) => {
            let (denied, part) = (text(world, condition, binding), text(world, part, binding));
            format!("{denied}, but {part} holds")
        }
    }
}

/// What the functions of a comparison are now: `(fuel t) is 3`.
fn values(world: &World<'_>, terms: [&NumberTerm; 2], binding: &Binding) -> String {
    let functions = terms.into_iter().filter_map(|term| {
        let NumberTerm::Function(function, arguments) = term else { return None };
        let mut writer = Writer { world, binding, hidden: Vec::new(), text: String::new() };
        writer.call(&world.task.functions[function.index()].name, arguments);
        let is = match world.number(term, binding) {
            Some(number) => format!("is {number}"),
            None => "has no value".to_string(),
        };
        Some(format!("{} {is}", writer.text))
    });
    let functions: Vec<String> = functions.collect();
    match functions.is_empty() {
        true => "that never holds".to_string(),
        false => functions.join(", "),
    }
}

/// A condition as PDDL writes it, variables replaced where they stand for something; cut if
/// it is long.
fn text(world: &World<'_>, condition: &Condition, binding: &Binding) -> String {
    let mut writer = Writer { world, binding, hidden: Vec::new(), text: String::new() };
    writer.write(condition);
    writer.text
}

struct Writer<'w, 'l> {
    world: &'w World<'l>,
    binding: &'w Binding,
    /// Variables of quantifiers around: they stand for nothing yet.
    hidden: Vec<Parameter>,
    text: String,
}

impl Writer<'_, '_> {
    fn write(&mut self, condition: &Condition) {
        if self.text.len() > LONGEST {
            if !self.text.ends_with('…') {
                self.text.push('…');
            }
            return;
        }
        let (head, parameters) = match condition {
            Condition::And(_) => ("and", &[][..]),
            Condition::Or(_) => ("or", &[][..]),
            Condition::Not(_) => ("not", &[][..]),
            Condition::Imply(..) => ("imply", &[][..]),
            Condition::Exists(parameters, _) => ("exists", &parameters[..]),
            Condition::Forall(parameters, _) => ("forall", &parameters[..]),
            Condition::Atom(Atom { predicate, arguments }) => {
                let task = self.world.task;
                return self.call(&task.predicates[predicate.index()].name, arguments);
            }
            Condition::Equal(first, second) => return self.call("=", &[*first, *second]),
            Condition::Compare(relation, first, second) => {
                self.text.push_str(&format!("({}", relation.sign()));
                for term in [first, second] {
                    self.text.push(' ');
                    self.number(term);
                }
                return self.text.push(')');
            }
        };
        self.text.push('(');
        self.text.push_str(head);
        if matches!(condition, Condition::Exists(..) | Condition::Forall(..)) {
            let types = |p: &Parameter| type_text(&self.world.task.types, &p.types);
            let names = parameters.iter().map(|p| format!("?{} - {}", p.name, types(p)));
            let names = names.collect::<Vec<_>>().join(" ");
            self.text.push_str(&format!(" ({names})"));
        }
        self.hidden.extend_from_slice(parameters);
        for part in condition.parts() {
            self.text.push(' ');
            self.write(part);
            if self.text.ends_with('…') {
                break;
            }
        }
        self.hidden.truncate(self.hidden.len() - parameters.len());
        self.text.push(')');
    }

    fn number(&mut self, term: &NumberTerm) {
        match term {
            NumberTerm::Number(number) => self.text.push_str(&number.to_string()),
            NumberTerm::Function(function, arguments) => {
                let task = self.world.task;
                self.call(&task.functions[function.index()].name, arguments);
            }
        }
    }

    fn call(&mut self, name: &str, arguments: &[Term]) {
        self.text.push('(');
        self.text.push_str(name);
        for &argument in arguments {
            self.text.push(' ');
            let hidden = match argument {
                Term::Variable(v) => self.hidden.iter().rev().find(|p| p.variable == v),
                Term::Object(_) => None,
            };
            if let Some(parameter) = hidden {
                self.text.push('?');
                self.text.push_str(&parameter.name);
            } else {
                let object = self.world.object(argument, self.binding);
                let object = self.world.task.objects.get(object.index());
                self.text.push_str(object.map_or("", |object| object.name.as_str()));
            }
        }
        self.text.push(')');
    }
}

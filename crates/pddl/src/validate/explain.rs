//! Why a condition does not hold: its smallest failing part, in words.
//!
//! In:   a condition that does not hold, and the objects its variables stand for.
//! Out:  words that follow "needs": `(at a), which does not hold`.
//! Cost: that of judging the condition again, at each level of nesting.

use super::matching::{Wanted, exists};
use super::world::{Binding, World};
use crate::lifted::{Atom, Condition, Parameter, Term, type_text};

/// Longest text of a part that is quoted.
const LONGEST: usize = 200;

/// What fails in a condition that does not hold.
pub(super) fn explain(world: &World<'_>, condition: &Condition, binding: &mut Binding) -> String {
    match condition {
        Condition::And(parts) => match parts.iter().find(|part| !world.holds(part, binding)) {
            Some(part) => explain(world, part, binding),
            None => "nothing more".to_string(),
        },
        Condition::Atom(_) => format!("{}, which does not hold", text(world, condition, binding)),
        Condition::Not(part) if matches!(**part, Condition::Atom(_)) => {
            let (denied, part) = (text(world, condition, binding), text(world, part, binding));
            format!("{denied}, but {part} holds")
        }
        Condition::Imply(first, second) => {
            let because = text(world, first, binding);
            format!("{}, because {because} holds", explain(world, second, binding))
        }
        Condition::Forall(parameters, part) => {
            // Ends with objects for which it fails: of one variable the first.
            match parameters.len() {
                1 => world.some(parameters, binding, &mut |binding| !world.holds(part, binding)),
                _ => exists(world, parameters, Wanted { condition: part, is: false }, binding),
            };
            let objects = parameters.iter().map(|p| {
                let object = binding[p.variable as usize].0 as usize;
                format!("?{} = {}", p.name, world.task.objects[object].name)
            });
            let objects = objects.collect::<Vec<_>>().join(", ");
            format!("{} (for {objects})", explain(world, part, binding))
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

/// A condition as PDDL writes it, variables replaced where they stand for something; cut if
/// it is long.
fn text(world: &World<'_>, condition: &Condition, binding: &Binding) -> String {
    let mut writer = Writer { world, binding, hidden: Vec::new(), text: String::new() };
    writer.write(condition);
    writer.text
}

/// A fact as PDDL writes it.
pub(super) fn call_text(
    world: &World<'_>,
    name: &str,
    arguments: &[Term],
    binding: &Binding,
) -> String {
    let mut writer = Writer { world, binding, hidden: Vec::new(), text: String::new() };
    writer.call(name, arguments);
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
        match condition {
            Condition::And(parts) => self.list("and", parts),
            Condition::Or(parts) => self.list("or", parts),
            Condition::Not(part) => self.list("not", std::slice::from_ref(&**part)),
            Condition::Imply(first, second) => {
                self.text.push_str("(imply ");
                self.write(first);
                self.text.push(' ');
                self.write(second);
                self.text.push(')');
            }
            Condition::Exists(parameters, part) => self.quantified("exists", parameters, part),
            Condition::Forall(parameters, part) => self.quantified("forall", parameters, part),
            Condition::Atom(Atom { predicate, arguments }) => {
                let world = self.world;
                self.call(&world.task.predicates[predicate.0 as usize].name, arguments);
            }
            Condition::Equal(first, second) => self.call("=", &[*first, *second]),
        }
    }

    fn list(&mut self, head: &str, parts: &[Condition]) {
        self.text.push('(');
        self.text.push_str(head);
        for part in parts {
            self.text.push(' ');
            self.write(part);
            if self.text.ends_with('…') {
                break;
            }
        }
        self.text.push(')');
    }

    fn quantified(&mut self, head: &str, parameters: &[Parameter], part: &Condition) {
        let names: Vec<String> = parameters
            .iter()
            .map(|p| format!("?{} - {}", p.name, type_text(&self.world.task.types, &p.types)))
            .collect();
        self.text.push_str(&format!("({head} ({}) ", names.join(" ")));
        self.hidden.extend_from_slice(parameters);
        self.write(part);
        self.hidden.truncate(self.hidden.len() - parameters.len());
        self.text.push(')');
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
            match hidden {
                Some(parameter) => {
                    let name = format!("?{}", parameter.name);
                    self.text.push_str(&name);
                }
                None => {
                    let object = self.world.object(argument, self.binding);
                    let name = self.world.task.objects.get(object.0 as usize);
                    self.text.push_str(name.map_or("", |object| object.name.as_str()));
                }
            }
        }
        self.text.push(')');
    }
}

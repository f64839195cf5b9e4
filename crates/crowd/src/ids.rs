//! The plans of a crowd as one column of numbers, two bytes each while they fit.

use crate::plans::PlanId;

/// What each row's plan is.
#[derive(Debug)]
pub(crate) enum Ids {
    /// Numbers below 65,536.
    Narrow(Vec<u16>),
    /// Any number.
    Wide(Vec<u32>),
}

/// A part of the column, to be written by one thread.
#[derive(Debug)]
pub(crate) enum IdsMut<'c> {
    Narrow(&'c mut [u16]),
    Wide(&'c mut [u32]),
}

/// The same on a column of either width.
macro_rules! either {
    ($kind:ident, $ids:expr, $column:ident => $body:expr) => {
        match $ids {
            $kind::Narrow($column) => $body,
            $kind::Wide($column) => $body,
        }
    };
}

impl Ids {
    pub(crate) fn get(&self, row: usize) -> u32 {
        either!(Ids, self, column => column[row] as _)
    }

    /// Writes a number, widening the column if it must.
    pub(crate) fn set(&mut self, row: usize, id: u32) {
        if u16::try_from(id).is_err() {
            self.widen();
        }
        either!(Ids, self, column => column[row] = id as _);
    }

    /// Makes room for any number.
    pub(crate) fn widen(&mut self) {
        if let Ids::Narrow(column) = self {
            *self = Ids::Wide(column.iter().map(|&id| id.into()).collect());
        }
    }

    pub(crate) fn push(&mut self) {
        either!(Ids, self, column => column.push(PlanId::UNPLANNED.0 as _));
    }

    pub(crate) fn reserve(&mut self, more: usize) {
        either!(Ids, self, column => column.reserve(more));
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Ids::Narrow(column) => 2 * column.capacity(),
            Ids::Wide(column) => 4 * column.capacity(),
        }
    }

    pub(crate) fn all_mut(&mut self) -> IdsMut<'_> {
        match self {
            Ids::Narrow(column) => IdsMut::Narrow(column),
            Ids::Wide(column) => IdsMut::Wide(column),
        }
    }
}

impl<'c> IdsMut<'c> {
    pub(crate) fn split_at(self, at: usize) -> (IdsMut<'c>, IdsMut<'c>) {
        match self {
            IdsMut::Narrow(column) => {
                let (a, b) = column.split_at_mut(at);
                (IdsMut::Narrow(a), IdsMut::Narrow(b))
            }
            IdsMut::Wide(column) => {
                let (a, b) = column.split_at_mut(at);
                (IdsMut::Wide(a), IdsMut::Wide(b))
            }
        }
    }

    pub(crate) fn get(&self, at: usize) -> u32 {
        either!(IdsMut, self, column => column[at] as _)
    }

    /// Writes a number that is known to fit.
    pub(crate) fn set(&mut self, at: usize, id: u32) {
        either!(IdsMut, self, column => column[at] = id as _);
    }
}

//! One of each list, in every way.
//!
//! In:   lists.
//! Out:  all ways to take one item of each, in the order of the lists, the last one turning first.
//! Cost: the product of their lengths.

/// All ways to take one item of each list.
pub fn choices<T: Clone>(lists: impl IntoIterator<Item = Vec<T>>) -> Vec<Vec<T>> {
    lists.into_iter().fold(vec![Vec::new()], |chosen, list| {
        let longer = |before: &Vec<T>| {
            let before = before.clone();
            list.iter().map(move |item| [&before[..], std::slice::from_ref(item)].concat())
        };
        chosen.iter().flat_map(longer).collect()
    })
}

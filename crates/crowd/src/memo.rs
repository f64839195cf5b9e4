//! stub
use crate::plans::PlanId;
#[derive(Debug)]
pub struct Memo {
    map: std::collections::HashMap<(u32, Vec<u64>), PlanId>,
    most: usize,
}
impl Memo {
    pub fn new(_words: usize, most: usize) -> Memo {
        Memo { map: Default::default(), most }
    }
    pub fn get(&self, policy: u32, words: &[u64]) -> Option<PlanId> {
        self.map.get(&(policy, words.to_vec())).copied()
    }
    pub fn insert(&mut self, policy: u32, words: &[u64], id: PlanId) -> Option<PlanId> {
        if self.map.len() >= self.most {
            return Some(id);
        }
        self.map.insert((policy, words.to_vec()), id)
    }
    pub fn forget(&mut self, policy: u32, mut gone: impl FnMut(PlanId)) {
        self.map.retain(|k, id| {
            if k.0 == policy {
                gone(*id);
                false
            } else {
                true
            }
        });
    }
    pub fn bytes(&self) -> usize {
        0
    }
}

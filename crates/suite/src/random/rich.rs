//! stub
/// x
pub fn rich_text(_: u64) -> String {
    String::new()
}
/// x
pub fn rich_files(_: u64) -> Vec<(String, String)> {
    Vec::new()
}

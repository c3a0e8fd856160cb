// Mean is not wanted.
fn keep_mean(row: u32, value: f32) {
}

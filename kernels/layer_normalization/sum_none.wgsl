// The sum is not wanted.
fn keep_sum(i: u32, value: f32) {
}

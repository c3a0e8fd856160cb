// The sum is not wanted.
fn keep_number(at: u32, v: f32) {
}

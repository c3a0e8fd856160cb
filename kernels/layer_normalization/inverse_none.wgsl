// InvStdDev is not wanted.
fn keep_inverse(row: u32, value: f32) {
}

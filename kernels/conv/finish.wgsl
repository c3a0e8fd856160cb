// The last step before a store, for the result of a channel at index `at`.
fn finish(value: f32, at: u32, channel: u32) -> elem {
  return elem(value);
}

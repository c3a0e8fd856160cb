// x as it is.
fn number(at: Places, vector: u32, lane: u32) -> f32 {
  return pick(x[at.x + vector], x[at.x + vector + 1u], lane);
}

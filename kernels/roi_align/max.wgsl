fn initial() -> f32 {
  return lowest();
}

fn combine(total: f32, part: f32) -> f32 {
  return max(total, part);
}

fn finish(total: f32, samples: u32) -> f32 {
  return select(total, 0.0, samples == 0u);
}

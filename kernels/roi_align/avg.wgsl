fn initial() -> f32 {
  return 0.0;
}

fn combine(total: f32, part: f32) -> f32 {
  return total + part;
}

fn finish(total: f32, samples: u32) -> f32 {
  return total / f32(max(samples, 1u));
}

// LogSoftmax: d - log(sum).
fn scale_of(sum: f32) -> f32 {
  return log_of(sum);
}

fn result(d: f32, scale: f32) -> f32 {
  return d - scale;
}

// Floats to floats: rounded where they are stored.
fn converted(x: f32) -> f32 {
  return x;
}

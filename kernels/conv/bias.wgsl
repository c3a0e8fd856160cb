@group(0) @binding(2) var<storage, read> bias: array<elem>;

fn bias_of(channel: u32) -> f32 {
  return f32(bias[channel]);
}

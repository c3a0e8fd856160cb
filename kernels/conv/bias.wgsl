@group(0) @binding(binding_bias) var<storage, read> bias: array<elem>;

fn bias_of(channel: u32) -> f32 {
  return f32(bias[channel]);
}

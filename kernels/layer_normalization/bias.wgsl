// The bias, where the node has one.
@group(0) @binding(binding_bias) var<storage, read> bias: array<elem>;

fn bias_of(i: u32) -> f32 {
  return f32(bias[i * p.bias_step]);
}

// The bias, where the node has one.
@group(0) @binding(binding_bias) var<storage, read> bias: array<vec4<f32>>;

fn line_bias(at: u32, lane: u32) -> f32 {
  return pick(bias[at], bias[at + 1u], lane);
}

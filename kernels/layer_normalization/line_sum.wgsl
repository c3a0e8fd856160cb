// The sum that was normalised, for whoever wants it.
@group(0) @binding(binding_sum) var<storage, read_write> kept_sum: array<vec4<f32>>;

fn keep_number(at: u32, v: f32) {
  kept_sum[at] = low_lanes(v);
  kept_sum[at + 1u] = high_lanes(v);
}

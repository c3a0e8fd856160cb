// The sum that was normalised, for whoever wants it.
@group(0) @binding(binding_sum) var<storage, read_write> kept_sum: array<elem>;

fn keep_sum(i: u32, value: f32) {
  kept_sum[i] = elem(value);
}

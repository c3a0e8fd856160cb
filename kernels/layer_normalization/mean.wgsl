// The second output (Mean) of ONNX's three, for whoever wants it.
@group(0) @binding(binding_mean) var<storage, read_write> kept_mean: array<stored_mean>;

fn keep_mean(row: u32, value: f32) {
  kept_mean[row] = stored_mean(value);
}

// The third output (InvStdDev) of ONNX's three, for whoever wants it.
@group(0) @binding(binding_inverse) var<storage, read_write> kept_inverse: array<stored_inverse>;

fn keep_inverse(row: u32, value: f32) {
  kept_inverse[row] = stored_inverse(value);
}

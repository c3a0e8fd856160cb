// x + skip; skip begins again after its last row.
@group(0) @binding(binding_skip) var<storage, read> skip: array<elem>;

fn source(row: u32, i: u32) -> f32 {
  return f32(x[row * p.length + i]) + f32(skip[row % p.skip_rows * p.length + i]);
}

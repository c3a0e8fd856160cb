// x + skip + shift, the last of the last axis alone.
@group(0) @binding(binding_skip) var<storage, read> skip: array<elem>;
@group(0) @binding(binding_shift) var<storage, read> shifts: array<elem>;

fn source(row: u32, i: u32) -> f32 {
  let sum = f32(x[row * p.length + i]) + f32(skip[row % p.skip_rows * p.length + i]);
  return sum + f32(shifts[i % p.shift_width]);
}

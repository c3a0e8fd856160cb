// A few numbers that the host knows: 16 bytes of them per invocation.
struct Params {
  vectors: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  numbers: array<vec4<u32>, most>,
}

@group(0) @binding(0) var<storage, read_write> y: array<vec4<u32>>;
@group(0) @binding(1) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(local_invocation_index) i: u32) {
  if (i < p.vectors) {
    y[i] = p.numbers[i];
  }
}

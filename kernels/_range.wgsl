// y[i] = start + i delta. The number type's file gives `at`.
struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  start: vec2<u32>,  // the bits of a number, low word first
  delta: vec2<u32>,
}

@group(0) @binding(0) var<storage, read_write> y: array<stored>;
@group(0) @binding(1) var<uniform> p: Params;

fn value(i: u32) -> elem {
  return at(i);
}

// value(i) = converted(x[i]), from any type to any other: see _each.wgsl and _packed.wgsl. Integers and bools are widened to 64
// bits first (`wide_of`, the source's file) and cut from there (the target's); floats are f32.
struct Params {
  vectors: u32,
  count: u32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

fn value(i: u32) -> made {
  return converted(element_of(x[i >> per_word], i));
}

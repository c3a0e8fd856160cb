// y[i] = x[i], where passes have left a word for each element and elements of the result share words.
struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

@group(0) @binding(0) var<storage, read> x: array<between>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

fn value(i: u32) -> acc {
  return finished(x[i]);
}

// value(i) = x[i] between two bounds, each one element of memory or, where `low_given` or `high_given` is 0, none: _clip.wgsl for
// types without vectors of four.
struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> least: array<elem>;
@group(0) @binding(2) var<storage, read> most: array<elem>;
@group(0) @binding(3) var<storage, read_write> y: array<stored>;
@group(0) @binding(4) var<uniform> p: Params;

fn value(i: u32) -> acc {
  var v = element_of(x[i >> per_word], i);
  let low = element_of(least[0], 0u);
  let high = element_of(most[0], 0u);
  if (low_given == 1u && before(v, low)) {
    v = low;
  }
  if (high_given == 1u && before(high, v)) {
    v = high;
  }
  return v;
}

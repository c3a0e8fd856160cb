// A cache [batch, outer, extent, inner] with an update [batch, outer, length, inner] written from a position of each batch on. The starts'
// file gives `start_of` a batch, which is below 2^31.
struct Params {
  count: u32,
  inner: u32,
  extent: u32,
  outer: u32,
  inner_inverse: f32,
  extent_inverse: f32,
  outer_inverse: f32,
  length: u32,
  circular: u32,  // 1: behind the last position comes the first
  pad0: u32,
  pad1: u32,
  pad2: u32,
}

@group(0) @binding(0) var<storage, read> cache: array<elem>;
@group(0) @binding(1) var<storage, read> updates: array<elem>;
@group(0) @binding(binding_y) var<storage, read_write> y: array<stored>;
@group(0) @binding(binding_params) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let row = divide(i, p.inner, p.inner_inverse);
  let across = divide(row, p.extent, p.extent_inverse);
  let start = start_of(divide(across, p.outer, p.outer_inverse));
  let first = select(start, start % p.extent, p.circular != 0u);
  let position = row - across * p.extent;
  let behind = position + select(0u, p.extent, p.circular != 0u && position < first) - first;  // large where it lies before
  if (behind < p.length) {
    let at = (across * p.length + behind) * p.inner + (i - row * p.inner);
    return element_of(updates[at >> per_word], at);
  }
  return element_of(cache[i >> per_word], i);
}

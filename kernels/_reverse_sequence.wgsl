// Of every batch, the first steps in reverse order: x as [rows of batch and time, inner], either of which may be outermost. Units
// are elements, or 16 bytes of a row that is long enough (_each.wgsl, _packed.wgsl). A length that is out of range is reported.
struct Params {
  count: u32,
  inner: u32,
  inner_inverse: f32,
  fast: u32,  // extent of the faster of batch and time
  fast_inverse: f32,
  steps: u32,
  batches: u32,
  time_first: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> lengths: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let row = divide(i, p.inner, p.inner_inverse);
  let slow = divide(row, p.fast, p.fast_inverse);
  let fast = row - slow * p.fast;
  let time = select(fast, slow, p.time_first == 1u);
  let batch = select(slow, fast, p.time_first == 1u);
  let length = lengths[batch];
  if (length.y != 0u || length.x > p.steps) {
    report_fault(1u, batch, length);
  }
  let wanted = min(length.x, p.steps);
  let source = select(time, wanted - 1u - time, time < wanted);
  let at = select(batch * p.steps + source, source * p.batches + batch, p.time_first == 1u) * p.inner + (i - row * p.inner);
  return element_of(x[at >> per_word], at);
}

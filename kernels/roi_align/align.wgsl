// y[r, c, row, column]: one bin of region r, from samples between the elements of channel c; the mode's file combines them. One invocation
// per bin. A batch index out of range sets the fault word.
struct Params {
  count: u32,
  bins: u32,
  bins_inverse: f32,
  columns: u32,  // bins
  columns_inverse: f32,
  channels: u32,
  channels_inverse: f32,
  batches: u32,
  height: u32,  // of the input
  width: u32,
  rows: u32,  // bins
  sampling: u32,
  scale: f32,
  offset: f32,
  least: f32,  // of a region's extent
  pad: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> rois: array<elem>;
@group(0) @binding(2) var<storage, read> batch_indices: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> y: array<elem>;
@group(0) @binding(4) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(5) var<uniform> p: Params;

// Samples of one bin along one axis.
struct Samples {
  start: f32,
  step: f32,
  count: u32,
}

fn samples_of(low: elem, high: elem, bins: u32, bin: u32) -> Samples {
  let start = f32(low) * p.scale - p.offset;
  let length = max(f32(high) * p.scale - p.offset - start, p.least);
  let size = length / f32(bins);
  let count = select(u32(clamp(ceil(size), 0.0, 1e6)), p.sampling, p.sampling > 0u);
  return Samples(start + f32(bin) * size, size / f32(count), count);
}

// Two neighbours along one axis and their weights; no weight beyond the input.
struct Between {
  low: u32,
  high: u32,
  weight_low: f32,
  weight_high: f32,
}

fn between(samples: Samples, i: u32, extent: u32) -> Between {
  let place = samples.start + (f32(i) + 0.5) * samples.step;
  if (!(place >= -1.0 && place <= f32(extent))) {
    return Between(0u, 0u, 0.0, 0.0);
  }
  let at = clamp(place, 0.0, f32(extent - 1u));
  let low = min(u32(at), extent - 1u);
  let part = at - f32(low);
  return Between(low, min(low + 1u, extent - 1u), 1.0 - part, part);
}

fn run(i: u32) {
  let plane = divide(i, p.bins, p.bins_inverse);
  let bin = i - plane * p.bins;
  let region = divide(plane, p.channels, p.channels_inverse);
  let channel = plane - region * p.channels;
  let row = divide(bin, p.columns, p.columns_inverse);
  let batch = batch_indices[region];
  if (batch.y != 0u || batch.x >= p.batches) {
    report_fault(1u, region, batch);
  }
  let start = (min(batch.x, p.batches - 1u) * p.channels + channel) * p.height * p.width;
  let down = samples_of(rois[region * 4u + 1u], rois[region * 4u + 3u], p.rows, row);
  let across = samples_of(rois[region * 4u], rois[region * 4u + 2u], p.columns, bin - row * p.columns);
  var total = initial();
  for (var a = 0u; a < down.count; a++) {
    let v = between(down, a, p.height);
    for (var b = 0u; b < across.count; b++) {
      let h = between(across, b, p.width);
      let above = start + v.low * p.width;
      let below = start + v.high * p.width;
      total = combine(total, v.weight_low * h.weight_low * f32(x[above + h.low]));
      total = combine(total, v.weight_low * h.weight_high * f32(x[above + h.high]));
      total = combine(total, v.weight_high * h.weight_low * f32(x[below + h.low]));
      total = combine(total, v.weight_high * h.weight_high * f32(x[below + h.high]));
    }
  }
  y[i] = elem(finish(total, down.count * across.count));
}

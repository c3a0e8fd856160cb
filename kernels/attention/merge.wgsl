// The second half of attention where lanes own keys (plugin/gpu/families/attention_text.h): a row's result is the sum of what its lanes
// found, each relative to its own largest score. One invocation per element of y as it is bound.
struct Params {
  count: u32,
  columns: u32,  // elements of a row
  queries: u32,
  heads: u32,
  slots: u32,  // lanes of a row
  unseen: u32,  // bits of what a row without keys gives
  pad_x: u32,
  pad_y: u32,
  first: u32,  // strides of y
  batch: u32,
  head: u32,
  row: u32,
}

@group(0) @binding(0) var<storage, read> sums: array<part>;
@group(0) @binding(1) var<storage, read> levels: array<vec2<f32>>;  // the largest score, the sum of weights
@group(0) @binding(2) var<storage, read_write> y: array<result>;
@group(0) @binding(3) var<uniform> p: Params;

fn level_of(top: f32) -> f32 {
  return select(top, 0.0, bitcast<u32>(top) == 0xff800000u);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.count) {
    return;
  }
  let row = i / p.columns;  // of all heads and batches
  let column = i - row * p.columns;
  var top = lowest();
  for (var slot = 0u; slot < p.slots; slot++) {
    top = max(top, levels[row * p.slots + slot].x);
  }
  let level = level_of(top);
  var total = 0.0;
  var sum = part();
  for (var slot = 0u; slot < p.slots; slot++) {
    let at = row * p.slots + slot;
    let share = exp_falling(levels[at].x - level);
    total = fma(levels[at].y, share, total);
    sum = fma(part(share), sums[at * p.columns + column], sum);
  }
  let flat_head = row / p.queries;
  let batch = flat_head / p.heads;
  let place = p.first + batch * p.batch + (flat_head - batch * p.heads) * p.head + (row - flat_head * p.queries) * p.row;
  y[place + column] = result(select(sum * (1.0 / total), part(bitcast<f32>(p.unseen)), total == 0.0));
}

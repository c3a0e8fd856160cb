// _scatter_put.wgsl for elements that share words: a word is exchanged only while nobody else has changed it.
@group(0) @binding(1) var<storage, read> updates: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let i = flat_group(group, groups) * group_size + lane;
  if (i >= p.count) {
    return;
  }
  let place = place_of(i);
  if (place.y == 0u) {
    atomicStore(&fault[0], 1u);
    return;
  }
  let update = element_of(updates[i >> per_word], i);
  let shift = (place.x & ((1u << per_word) - 1u)) * width;
  let word = place.x >> per_word;
  var seen = atomicLoad(&y[word]);
  for (;;) {
    let result = atomicCompareExchangeWeak(&y[word], seen, insertBits(seen, update, shift, width));
    if (result.exchanged) {
      break;
    }
    seen = result.old_value;
  }
}

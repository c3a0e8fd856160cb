// y[place_of(i)] = updates[i], one per invocation; y holds the data already. An index that is out of range sets the fault word and
// writes nothing.
@group(0) @binding(1) var<storage, read> updates: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<elem>;
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
  } else {
    y[place.x] = updates[i];
  }
}

// y[place_of(i)] = apply(y[place_of(i)], updates[i]); y holds the data already. Updates that may meet in one element are those of a
// line, which one invocation walks in order: so results repeat bit for bit. An index that is out of range is reported.
@group(0) @binding(1) var<storage, read> updates: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<elem>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let line = flat_group(group, groups) * group_size + lane;
  if (line * p.length >= p.count) {
    return;
  }
  let outer = divide(line, p.step, p.step_inverse);
  let first = outer * p.length * p.step + (line - outer * p.step);
  for (var k = 0u; k < p.length; k++) {
    let i = first + k * p.step;
    let place = place_of(i);
    if (place.y == 0u) {
      report_place(i);
    } else {
      y[place.x] = elem(apply(acc(y[place.x]), acc(updates[i])));
    }
  }
}

// conv/spread for CPU adapters: each subgroup stores 16 neighbours of a row of phases by uniform loads (_eight.wgsl), which `take`
// turns into the elements that its lanes want. Rows are at least 16 long and begin at vectors; the last subgroups store
// some elements again.
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> phases: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn nothing() -> f32 {
  return 0.0;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let tile = min(flat_group(group, groups) * (group_size / 8u) + team, p.tiles - 1u);
  let line = divide(tile, p.tiles_across, p.tiles_across_inverse);
  let column = min((tile - line * p.tiles_across) * 16u, p.axes[2].length - 16u);
  let channel = divide(line * p.axes[2].length, p.plane, p.plane_inverse);
  let at = place_of(line * p.axes[2].length - channel * p.plane);
  // What lies between the elements of an input that is spread apart is zero, as is what lies around it.
  let z = at.x / p.apart_z;
  let y = at.y / p.apart_y;
  let row_inside = z < p.axes[0].extent && y < p.axes[1].extent && z * p.apart_z == at.x && y * p.apart_y == at.y;
  let row = i32(channel * p.input + select(0u, (z * p.axes[1].extent + y) * p.axes[2].extent, row_inside));
  let first = i32(at.z + column * p.axes[2].stride);
  let second = first + 8 * i32(p.axes[2].stride);
  let r0 = take(row, first, lane, row_inside);
  let r1 = take(row, second, lane, row_inside);
  let to = (line * p.axes[2].length + column) / 4u;
  phases[to] = low_four(r0);
  phases[to + 1u] = high_four(r0);
  phases[to + 2u] = low_four(r1);
  phases[to + 3u] = high_four(r1);
}

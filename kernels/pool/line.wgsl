// The largest of each window, for CPU adapters: a subgroup makes 16 neighbours of a row of results, tap by tap, each by uniform loads
// (_eight.wgsl). Kernel sizes are constants, so that compilers unroll the loops. Rows are at least 16 long and begin at vectors; the
// last subgroups of a row make some results again.
struct Params {
  tiles: u32,
  tiles_across: u32,  // of one row
  tiles_across_inverse: f32,
  rows: u32,  // of results in one channel
  rows_inverse: f32,
  plane: u32,  // elements of the input in one channel
  elements: u32,  // of the input
  zero: u32,
  axes: array<Axis, 3>,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn nothing() -> f32 {
  return lowest();
}

fn larger(a: f32, b: f32) -> f32 {
  return select(a, b, (b > a || is_nan(b)) && !is_nan(a));
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(subgroup_id) team: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let tile = min(flat_group(group, groups) * (group_size / 8u) + team, p.tiles - 1u);
  let line = divide(tile, p.tiles_across, p.tiles_across_inverse);
  let column = min((tile - line * p.tiles_across) * 16u, p.axes[2].result - 16u);
  let channel = divide(line, p.rows, p.rows_inverse);
  let start = window_start((line - channel * p.rows) * p.axes[2].result + column);
  var r0 = lowest();
  var r1 = lowest();
  for (var kz = 0u; kz < kernel_z; kz++) {
    for (var ky = 0u; ky < kernel_y; ky++) {
      let at = start.xy + vec2<u32>(kz * p.axes[0].dilation, ky * p.axes[1].dilation);
      let inside = at.x < p.axes[0].extent && at.y < p.axes[1].extent;
      let row = i32(channel * p.plane + select(0u, (at.x * p.axes[1].extent + at.y) * p.axes[2].extent, inside));
      for (var kx = 0u; kx < kernel_x; kx++) {
        let first = i32(start.z + kx * p.axes[2].dilation);
        r0 = larger(r0, take(row, first, lane, inside));
        r1 = larger(r1, take(row, first + 8 * i32(p.axes[2].stride), lane, inside));
      }
    }
  }
  let to = (line * p.axes[2].result + column) / 4u;
  y[to] = low_four(r0);
  y[to + 1u] = high_four(r0);
  y[to + 2u] = low_four(r1);
  y[to + 3u] = high_four(r1);
}

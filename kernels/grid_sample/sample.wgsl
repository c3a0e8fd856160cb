// y[n, c, i] = x[n, c, place i of the grid]. The mode's file says where a place lies among elements (`nearest_place`, `first_tap`), that of
// the choice what is made of them (`sampled`). The padding's file says where a place beyond the input is (`inside`) and which element stands
// beyond an edge (`element`, negative for none). Axes are three, outermost first; those that a tensor lacks have extent 1 and a single tap.
struct Axis {
  extent: u32,
  stride: u32,
  low: f32,  // the input's edges
  high: f32,
}

struct Params {
  count: u32,
  places: u32,
  places_inverse: f32,
  channels: u32,
  channels_inverse: f32,
  plane: u32,
  rank: u32,
  corners: u32,
  axes: array<Axis, 3>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> grid: array<grid_elem>;
@group(0) @binding(2) var<storage, read_write> y: array<stored>;
@group(0) @binding(3) var<uniform> p: Params;

fn place_of(at: f32, axis: u32) -> f32 {
  let extent = f32(p.axes[axis].extent);
  let place = nearest_place(select(((at + 1.0) * extent - 1.0) * 0.5, (at + 1.0) * 0.5 * (extent - 1.0), p.corners != 0u));
  return clamp(inside(place, p.axes[axis].low, p.axes[axis].high, extent), -4.0, extent + 3.0);
}

fn reflected(place: f32, low: f32, high: f32) -> f32 {
  let range = max(high - low, 1e-30);
  let from_low = abs(place - low);
  let turns = floor(from_low / range);
  let rest = clamp(from_low - turns * range, 0.0, range);
  return low + select(rest, range - rest, (u32(min(turns, 1e9)) & 1u) == 1u);
}

fn value(i: u32) -> acc {
  let plane = divide(i, p.places, p.places_inverse);
  let batch = divide(plane, p.channels, p.channels_inverse);
  let at = (batch * p.places + (i - plane * p.places)) * p.rank;
  var place = vec3<f32>(0.0, 0.0, 0.0);
  for (var d = 0u; d < p.rank; d++) {
    place[2u - d] = place_of(f32(grid[at + d]), 2u - d);
  }
  let first = vec3<i32>(first_tap(place.x), first_tap(place.y), first_tap(place.z));
  let start = select(vec3<i32>(0, 0, 0), first, vec3<bool>(p.rank > 2u, p.rank > 1u, true));
  return sampled(place, start, plane * p.plane);
}

fn element_at(plane: u32, z: i32, row: i32, column: i32) -> acc {
  let at = plane + u32(z) * p.axes[0].stride + u32(row) * p.axes[1].stride + u32(column);
  return element_of(x[at >> per_word], at);
}

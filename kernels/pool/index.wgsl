// The index of the largest element as i64, -1 for a window of padding alone.
@group(0) @binding(2) var<storage, read_write> indices: array<vec2<u32>>;

fn keep_index(i: u32, plane: u32, best: u32) {
  let inner = best - plane;
  let row = inner / p.axes[2].extent;
  let z = row / p.axes[1].extent;
  let place = vec3<u32>(z, row - z * p.axes[1].extent, inner - row * p.axes[2].extent);
  let by_columns = plane + (place.z * p.axes[1].extent + place.y) * p.axes[0].extent + place.x;
  let none = best == 0xffffffffu;
  indices[i] = vec2<u32>(select(best, by_columns, p.columns != 0u && !none), select(0u, 0xffffffffu, none));
}

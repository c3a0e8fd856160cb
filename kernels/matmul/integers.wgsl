// C = A B + D of integers, which wrap: one sum per invocation, whatever the strides. See product.wgsl; tiles are single elements.
@group(0) @binding(0) var<storage, read> a: array<elem>;
@group(0) @binding(1) var<storage, read> b: array<elem>;
@group(0) @binding(binding_c) var<storage, read_write> c: array<elem>;
@group(0) @binding(binding_c + 1) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let tile = flat_group(group, groups) * group_size + lane;
  if (tile >= p.tiles) {
    return;
  }
  let place = place_of(tile);
  let a_at = place.a + place.row * p.a_row;
  let b_at = place.b + place.column * p.b_column;
  var sum = added(place.row * p.d_row + (p.c_start + place.column) * p.d_column);
  for (var k = 0u; k < p.k; k++) {
    sum = plus(sum, times(a[a_at + k * p.a_k], b[b_at + k * p.b_k]));
  }
  c[place.c + place.row * p.c_row + place.column] = sum;
}

// y[i] = apply(a[..], b[..]) for results that are bools: bytes, so one invocation computes the four of a word. The index
// of each is split over `dims` collapsed dimensions (innermost first), with a stride per operand, 0 where it repeats. The
// last word may reach beyond the result, into the padding of its storage.
struct Dim {
  extent: u32,
  inverse: f32,
  a: u32,
  b: u32,
}

struct Params {
  count: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> a: array<elem>;
@group(0) @binding(1) var<storage, read> b: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<u32>;
@group(0) @binding(3) var<uniform> p: Params;

fn result(i: u32) -> u32 {
  var rest = min(i, p.count - 1u);
  var at = vec2<u32>();
  for (var d = 0u; d < dims - 1u; d++) {
    let next = divide(rest, p.dims[d].extent, p.dims[d].inverse);
    at += (rest - next * p.dims[d].extent) * vec2<u32>(p.dims[d].a, p.dims[d].b);
    rest = next;
  }
  at += rest * vec2<u32>(p.dims[dims - 1u].a, p.dims[dims - 1u].b);
  return select(0u, 1u, apply(element_of(a[at.x >> per_word], at.x), element_of(b[at.y >> per_word], at.y)));
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = flat_group(group, groups) * group_size + lane;
  let i = word * 4u;
  if (i >= p.count) {
    return;
  }
  y[word] = result(i) | (result(i + 1u) << 8u) | (result(i + 2u) << 16u) | (result(i + 3u) << 24u);
}

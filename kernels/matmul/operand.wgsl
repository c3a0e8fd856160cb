// Packs rows of A or columns of B for matrices of subgroups, see families/coop_operand.h: `along` invocations share a vector. Bits of
// positive floats are in the order of the floats, so the largest one is found among integers, in any order.
struct Params {
  vectors: u32,
  padded_vectors: u32,
  k: u32,
  padded_k: u32,
  vector_step: u32,
  k_step: u32,
  total: u32,  // vectors of all matrices, with the padding
  exponents: u32,  // where they begin
  top: i32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  batch: array<Batch, 4>,  // innermost first
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<part>;
@group(0) @binding(2) var<uniform> p: Params;

var<workgroup> largest: array<u32, group_size>;

const infinity = 0x7f800000u;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let vector = vector_of(group, groups, lane);
  var most = 0u;
  for (var k = vector.first; k < vector.depth; k += along) {
    let bits = bitcast<u32>(f32(x[vector.start + k * p.k_step])) & 0x7fffffffu;
    most = max(most, select(0u, bits, bits < infinity));
  }
  largest[lane] = most;
  workgroupBarrier();
  for (var i = 0u; i < along; i++) {
    most = max(most, largest[lane - vector.first + i]);
  }
  // Of a largest element in [2^(e-1), 2^e); none, or one that is denormal, takes the largest scale.
  let exponent = select(clamp(i32(most >> 23u) - 126 - p.top, -most_exponent, most_exponent), 0, most == 0u);
  let scale = bitcast<f32>(u32(127 - exponent) << 23u);
  if (vector.index >= p.total) {
    return;
  }
  for (var k = vector.first; k < p.padded_k; k += along) {
    var element = 0.0;
    if (k < vector.depth) {
      element = f32(x[vector.start + k * p.k_step]) * scale;
    }
    y[vector.index * p.padded_k + k] = part(element);
  }
  if (vector.first == 0u) {
    y[p.exponents + vector.index] = part(f32(exponent));
  }
}

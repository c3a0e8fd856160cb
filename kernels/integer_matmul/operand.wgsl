// Packs rows of A or columns of B for matrices of subgroups, see families/coop_operand.h: bytes along k, four in a word, zeros behind the
// last, and behind all vectors the sum of each. `along` invocations share a vector. `flip` is 128 where signed bytes become unsigned ones or
// the other way round, and 0 where they stay.
struct Params {
  vectors: u32,
  padded_vectors: u32,
  k: u32,
  padded_words: u32,
  vector_step: u32,
  k_step: u32,
  total: u32,  // vectors of all matrices, with the padding
  sums: u32,  // where they begin
  batch: array<Batch, 4>,  // innermost first
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> p: Params;

var<workgroup> parts: array<u32, group_size>;

fn byte_at(at: u32) -> u32 {
  return ((x[at >> 2u] >> ((at & 3u) * 8u)) & 0xffu) ^ flip;
}

// Sums wrap, so it does not matter that they are unsigned.
fn number_of(byte: u32) -> u32 {
  return select(byte, byte | 0xffffff00u, is_signed && byte >= 128u);
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let vector = vector_of(group, groups, lane);
  var sum = 0u;
  for (var w = vector.first; w < p.padded_words; w += along) {
    var word = 0u;
    for (var c = 0u; c < 4u; c++) {
      let k = w * 4u + c;
      if (k < vector.depth) {
        let byte = byte_at(vector.start + k * p.k_step);
        sum += number_of(byte);
        word |= byte << (c * 8u);
      }
    }
    if (vector.index < p.total) {
      y[vector.index * p.padded_words + w] = word;
    }
  }
  parts[lane] = sum;
  workgroupBarrier();
  if (vector.first != 0u || vector.index >= p.total) {
    return;
  }
  for (var i = 1u; i < along; i++) {
    sum += parts[lane + i];
  }
  y[p.sums + vector.index] = sum;
}

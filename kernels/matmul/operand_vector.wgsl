// Which vector of an operand an invocation packs, and where it lies. The matrices of a batch begin by strides of up to four dimensions,
// p.batch.
struct Batch {
  extent: u32,
  step: u32,
  pad_x: u32,
  pad_y: u32,
}

// First element of a matrix.
fn matrix_of(matrix: u32) -> u32 {
  var rest = matrix;
  var at = 0u;
  for (var d = 0u; d < 4u; d++) {
    let next = rest / p.batch[d].extent;
    at += (rest - next * p.batch[d].extent) * p.batch[d].step;
    rest = next;
  }
  return at;
}

// `along` invocations share a vector.
struct Vector {
  index: u32,  // among those of all matrices, with the padding
  start: u32,  // its first element
  depth: u32,  // how many it has: none where it is padding
  first: u32,  // the one with which this invocation begins
}

fn vector_of(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> Vector {
  let index = flat_group(group, groups) * (group_size / along) + lane / along;
  let matrix = index / p.padded_vectors;
  let row = index - matrix * p.padded_vectors;
  let depth = select(0u, p.k, index < p.total && row < p.vectors);
  return Vector(index, matrix_of(matrix) + row * p.vector_step, depth, lane % along);
}

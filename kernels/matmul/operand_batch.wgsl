// Where the matrices of a batch begin that kernels pack, by strides of up to four dimensions, p.batch.
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

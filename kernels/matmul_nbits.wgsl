// y[i, j] = sum over k of a[i, k] w[j, k] (+ bias[j]), where w[j, k] = (code - zero) * scale of the block that k lies in. Codes have `code_bits`
// bits and stay packed in words; a block is whole words. One invocation computes `rows` rows of one column, so that a code is unpacked once for
// all of them; neighbours take neighbouring columns. Each block is added up by itself and multiplied with its scale then. Of codes that
// one binding does not hold, b has the columns of a panel.
struct Params {
  m: u32,
  n: u32,  // of the panel
  k: u32,
  blocks: u32,  // of a column
  block: u32,  // elements
  row_tiles: u32,
  zero_bytes: u32,  // of a column, packed
  default_zero: f32,
  first: u32,  // column of the panel
  y_row: u32,
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> a: array<elem>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read> scales: array<elem>;
@group(0) @binding(3) var<storage, read> zeros: array<zero_elem>;
@group(0) @binding(4) var<storage, read> bias: array<elem>;
@group(0) @binding(5) var<storage, read_write> y: array<elem>;
@group(0) @binding(6) var<uniform> p: Params;

const per_word = 32u / code_bits;
const ones = 0xffffffffu >> (32u - code_bits);

fn block_sums(column: u32, block: u32, row: u32) -> array<f32, rows> {
  let zero = zero_of(p.first + column, block);
  let first = block * p.block;
  let words = p.block / per_word;
  let start = (column * p.blocks + block) * words;
  var sums = array<f32, rows>();
  for (var i = 0u; i < words; i++) {
    var word = b[start + i];
    for (var c = 0u; c < per_word; c++) {
      let k = first + i * per_word + c;
      if (k < p.k) {
        let weight = f32(word & ones) - zero;
        for (var r = 0u; r < rows; r++) {
          sums[r] += f32(a[min(row + r, p.m - 1u) * p.k + k]) * weight;
        }
      }
      word = word >> (code_bits & 31u);
    }
  }
  return sums;
}

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let task = flat_group(group, groups) * group_size + lane;
  if (task >= p.row_tiles * p.n) {
    return;
  }
  let column = task % p.n;
  let row = task / p.n * rows;
  var sums = array<f32, rows>();
  for (var block = 0u; block < p.blocks; block++) {
    let scale = f32(scales[(p.first + column) * p.blocks + block]);
    let part = block_sums(column, block, row);
    for (var r = 0u; r < rows; r++) {
      sums[r] += part[r] * scale;
    }
  }
  var offset = 0.0;
  if (has_bias) {
    offset = f32(bias[p.first + column]);
  }
  for (var r = 0u; r < rows; r++) {
    if (row + r < p.m) {
      y[(row + r) * p.y_row + p.first + column] = elem(sums[r] + offset);
    }
  }
}

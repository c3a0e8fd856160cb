// One input of Concat with elements smaller than a word, `y_width` bits: y, rows of `row` elements, gets those of x, rows of
// `run`, at `start` in each. One invocation makes one word of y and keeps what other inputs have there.
struct Params {
  count: u32,  // of y
  row: u32,
  row_inverse: f32,
  start: u32,
  run: u32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(group_size)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let word = flat_group(group, groups) * group_size + lane;
  let first = word << per_word;
  if (first >= p.count) {
    return;
  }
  var bits = y[word];
  for (var k = 0u; k < (1u << per_word); k++) {
    let row = divide(first + k, p.row, p.row_inverse);
    let column = first + k - row * p.row - p.start;  // wraps before the start
    if (column < p.run && first + k < p.count) {
      let at = row * p.run + column;
      bits = insertBits(bits, element_of(x[at >> per_word], at), k * width, width);
    }
  }
  y[word] = bits;
}

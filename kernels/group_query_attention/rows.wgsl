// Rows of all batches and heads as attention reads them, [batch, heads, rows, size]: those given, from the batch's past on where they are
// `behind` it, what counts of the cache before them and zeros after them. One invocation makes one element. A batch whose last key is
// out of range, or that reaches beyond the rows of angles, is reported.
struct Params {
  count: u32,
  size: u32,
  rows: u32,
  heads: u32,
  size_inverse: f32,
  rows_inverse: f32,
  heads_inverse: f32,
  behind: u32,
  first: u32,  // of the given rows: their first element and strides
  batch: u32,
  head: u32,
  row: u32,
  given: u32,  // rows
  past: u32,  // rows of the cache given
  prompt: u32,  // 1: nothing counts of it
  least: u32,  // keys that may count in a batch
  most: u32,
  width: u32,  // columns of a head that are turned
  angles: u32,  // rows of them
  interleaved: u32,  // 1: pairs are neighbours, 0: halves of `width`
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read> cache: array<elem>;
@group(0) @binding(2) var<storage, read> last: array<u32>;
@group(0) @binding(binding_y) var<storage, read_write> y: array<elem>;
@group(0) @binding(binding_y + 1) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(binding_y + 2) var<uniform> p: Params;

fn run(i: u32) {
  let across = divide(i, p.size, p.size_inverse);
  let column = i - across * p.size;
  let flat_head = divide(across, p.rows, p.rows_inverse);
  let row = across - flat_head * p.rows;
  let batch = divide(flat_head, p.heads, p.heads_inverse);
  let keys = last[batch] + 1u;
  let before = select(clamp(keys, p.least, p.most) - p.given, 0u, p.prompt == 1u);
  if (keys < p.least || keys > p.most || (turns == 1u && before + p.given > p.angles)) {
    report_fault(1u, batch, vec2<u32>(last[batch], select(0u, 0xffffffffu, last[batch] >= 0x80000000u)));
  }
  let start = select(0u, before, p.behind == 1u);
  if (row < start) {
    y[i] = cache[(flat_head * p.past + row) * p.size + column];
  } else if (row < start + p.given) {
    let base = p.first + batch * p.batch + (flat_head - batch * p.heads) * p.head + (row - start) * p.row;
    y[i] = elem(turned(base, column, min(before + row - start, max(p.angles, 1u) - 1u)));
  } else {
    y[i] = elem(0);
  }
}

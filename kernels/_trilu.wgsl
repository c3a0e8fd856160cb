// y = x on one side of a diagonal of each matrix, with the diagonal itself, and zero on the other.
struct Params {
  count: u32,
  rows: u32,
  rows_inverse: f32,
  columns: u32,
  columns_inverse: f32,
  diagonal: i32,  // the column that it has in row 0
  pad_x: u32,
  pad_y: u32,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<stored>;
@group(0) @binding(2) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let line = divide(i, p.columns, p.columns_inverse);
  let row = line - divide(line, p.rows, p.rows_inverse) * p.rows;
  let beyond = i32(i - line * p.columns) - i32(row) - p.diagonal;
  if (select(beyond <= 0, beyond >= 0, upper == 1u)) {
    return element_of(x[i >> per_word], i);
  }
  return acc();
}

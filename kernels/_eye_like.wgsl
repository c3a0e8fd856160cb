// A matrix with `one` on a diagonal and zero elsewhere.
struct Params {
  count: u32,
  columns: u32,
  columns_inverse: f32,
  diagonal: i32,  // the column that it has in row 0
  one: vec2<u32>,  // its bits, low word first
  pad: vec2<u32>,
}

@group(0) @binding(0) var<storage, read_write> y: array<stored>;
@group(0) @binding(1) var<uniform> p: Params;

fn value(i: u32) -> acc {
  let row = divide(i, p.columns, p.columns_inverse);
  let on = i32(i - row * p.columns) - i32(row) == p.diagonal;
  return select(acc(), constant(p.one), on);
}

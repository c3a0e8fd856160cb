// sums[i] = sums[i] + x[..], from zero with the first operand, for the mean of any number of them. Large numbers are added up apart, as
// 2^-16 of themselves, so that no sum overflows whose mean does not, rounding aside.
struct Params {
  count: u32,
  first: u32,  // 1: the sums start
  pad_x: u32,
  pad_y: u32,
  dims: array<Dim, dims>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> sums: array<vec2<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

fn run(i: u32) {
  let at = places(i).x;  // the second operand has no strides
  let number = element_of(x[at >> per_word], at);
  let part = select(vec2<f32>(number, 0.0), vec2<f32>(0.0, number * 0.0000152587890625), abs(number) > 1e30);
  sums[i] = select(sums[i] + part, part, p.first == 1u);
}

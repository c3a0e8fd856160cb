// An index that is a float: fractions are cut off, below zero it counts from the end.
alias index = f32;

fn wanted(value: f32) -> vec2<u32> {
  let whole = i32(clamp(value, -2147483520.0, 2147483520.0));
  let position = bitcast<u32>(select(whole, whole + i32(p.extent), whole < 0));
  return vec2<u32>(position, select(0u, 1u, position < p.extent));
}

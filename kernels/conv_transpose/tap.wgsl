// The input coordinate that reaches the result by tap `k`, not below the extent where there is none: result = coordinate *
// stride + k * dilation - begin.
fn first_tap(position: u32) -> vec3<u32> {
  return result_place(position) + begins();
}

fn tap(first: u32, k: u32, axis: u32) -> u32 {
  let scaled = first - k * p.axes[axis].dilation;
  let at = scaled / p.axes[axis].stride;
  return select(0xffffffffu, at, i32(scaled) >= 0 && at * p.axes[axis].stride == scaled);
}

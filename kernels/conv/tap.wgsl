// Where tap `k` of a window lies in the input, not below its extent where it lies outside.
fn first_tap(position: u32) -> vec3<u32> {
  return window_start(position);
}

fn tap(first: u32, k: u32, axis: u32) -> u32 {
  return first + k * p.axes[axis].dilation;
}

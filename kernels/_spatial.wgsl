// Three spatial axes of a window (those that a tensor lacks have extent 1), outermost first, and the place of a result in
// them. Coordinates in the padding before the input wrap, so that one comparison finds both ends.
struct Axis {
  extent: u32,  // of the input
  result: u32,
  result_inverse: f32,
  kernel: u32,
  stride: u32,
  dilation: u32,
  begin: u32,  // padding
  end: u32,
}

// Coordinates of the result at `position` of its plane.
fn result_place(position: u32) -> vec3<u32> {
  let rows = divide(position, p.axes[2].result, p.axes[2].result_inverse);
  let planes = divide(rows, p.axes[1].result, p.axes[1].result_inverse);
  return vec3<u32>(planes, rows - planes * p.axes[1].result, position - rows * p.axes[2].result);
}

fn begins() -> vec3<u32> {
  return vec3<u32>(p.axes[0].begin, p.axes[1].begin, p.axes[2].begin);
}

// Coordinates of the input under tap 0 of the window of the result at `position` of its plane.
fn window_start(position: u32) -> vec3<u32> {
  return result_place(position) * vec3<u32>(p.axes[0].stride, p.axes[1].stride, p.axes[2].stride) - begins();
}

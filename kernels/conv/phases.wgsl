// What the steps around the `line` convolution share. The input is stored anew with its padding, each axis split into as many
// phases as its stride: then the windows of neighbouring results lie side by side under every tap. Results come in rows as
// long as those of the phases, and what hangs over is dropped. For ConvTranspose the elements of the input are spread apart, with zeros
// between, and its phases are one.
struct Phase {
  extent: u32,  // of the input
  begin: u32,
  stride: u32,
  stride_inverse: f32,
  length: u32,  // of a phase; of the last axis a multiple of 4
  length_inverse: f32,
  result: u32,
  result_inverse: f32,
}

struct Params {
  count: u32,
  plane: u32,  // elements of one channel: of all its phases, or of the result
  plane_inverse: f32,
  phase: u32,  // elements of one phase
  phase_inverse: f32,
  input: u32,  // elements of one channel of the input
  row: u32,  // elements of one channel of the sums
  channels: u32,  // of the result in all groups
  channels_inverse: f32,
  apart_z: u32,  // how far elements of the input are apart along the outer axes
  apart_y: u32,
  elements: u32,  // of the input
  tiles: u32,  // of conv/spread_rows, and those of one row
  tiles_across: u32,
  tiles_across_inverse: f32,
  zero: u32,
  axes: array<Phase, 3>,
}

// The coordinates of the input that element e of a channel's phases stands for: outside of its extents in the padding.
fn place_of(element: u32) -> vec3<u32> {
  let phase = divide(element, p.phase, p.phase_inverse);
  let e = element - phase * p.phase;
  let rows = divide(e, p.axes[2].length, p.axes[2].length_inverse);
  let z = divide(rows, p.axes[1].length, p.axes[1].length_inverse);
  let at = vec3<u32>(z, rows - z * p.axes[1].length, e - rows * p.axes[2].length);
  let phase_rows = divide(phase, p.axes[2].stride, p.axes[2].stride_inverse);
  let phase_z = divide(phase_rows, p.axes[1].stride, p.axes[1].stride_inverse);
  let own = vec3<u32>(phase_z, phase_rows - phase_z * p.axes[1].stride, phase - phase_rows * p.axes[2].stride);
  return at * vec3<u32>(p.axes[0].stride, p.axes[1].stride, p.axes[2].stride) + own -
         vec3<u32>(p.axes[0].begin, p.axes[1].begin, p.axes[2].begin);
}

// What the steps around the `line` convolution share. The input is stored anew with its padding, each axis split into as many
// phases as its stride: then the windows of neighbouring results lie side by side under every tap. Results come in rows as
// long as those of the phases, and what hangs over is dropped.
struct Phase {
  extent: u32,  // of the input
  begin: u32,
  stride: u32,
  stride_inverse: f32,
  length: u32,  // of a phase
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
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  axes: array<Phase, 3>,
}

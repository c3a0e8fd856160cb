// y[i] = finish(combine over the taps of window i that lie inside the input). One invocation per result; the functor is
// the op's own file, and sees the taps `passes` times.
struct Params {
  count: u32,
  positions: u32,  // of the result in one channel
  positions_inverse: f32,
  plane: u32,  // elements of the input in one channel
  count_padding: u32,  // 1: taps in the padding count, those beyond it do not
  columns: u32,  // 1: indices are column-major
  power: u32,
  root_high: f32,  // 1 / power, 12 bits of it and the rest
  root_low: f32,
  pad_x: u32,
  pad_y: u32,
  pad_z: u32,
  axes: array<Axis, 3>,
}

@group(0) @binding(0) var<storage, read> x: array<elem>;
@group(0) @binding(1) var<storage, read_write> y: array<elem>;
@group(0) @binding(binding_params) var<uniform> p: Params;

// Whether a tap at this coordinate counts where the one of the input does not decide.
fn padded(at: u32, axis: u32) -> bool {
  return at + p.axes[axis].begin < p.axes[axis].extent + p.axes[axis].begin + p.axes[axis].end;
}

fn run(i: u32) {
  let channel = divide(i, p.positions, p.positions_inverse);
  let start = window_start(i - channel * p.positions);
  let plane = channel * p.plane;
  var total = initial();
  var seen = 0u;
  var covered = 0u;
  var best = 0xffffffffu;
  for (var turn = 0u; turn < passes; turn++) {
    seen = 0u;
    covered = 0u;
    for (var kz = 0u; kz < p.axes[0].kernel; kz++) {
      let az = start.x + kz * p.axes[0].dilation;
      for (var ky = 0u; ky < p.axes[1].kernel; ky++) {
        let ay = start.y + ky * p.axes[1].dilation;
        let row = plane + (az * p.axes[1].extent + ay) * p.axes[2].extent;
        let row_inside = az < p.axes[0].extent && ay < p.axes[1].extent;
        let row_padded = padded(az, 0u) && padded(ay, 1u);
        for (var kx = 0u; kx < p.axes[2].kernel; kx++) {
          let ax = start.z + kx * p.axes[2].dilation;
          covered += select(0u, 1u, row_padded && padded(ax, 2u));
          if (row_inside && ax < p.axes[2].extent) {
            let value = acc(x[row + ax]);
            best = select(best, row + ax, seen == 0u || replaces(total, value));
            total = combine(total, value, turn);
            seen++;
          }
        }
      }
    }
  }
  y[i] = elem(finish(total, select(seen, covered, p.count_padding != 0u)));
  keep_index(i, plane, best);
}

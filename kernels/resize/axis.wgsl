// One axis of a tensor seen as [outer, extent, inner] becomes another extent: y[o, j, k] is made of elements x[o, place, k] that the table
// names for position j. A dispatch covers `positions` of them, from `first` on; one invocation makes one element.
fn run(i: u32) {
  let row = divide(i, p.inner, p.inner_inverse);
  let k = i - row * p.inner;
  let outer = divide(row, p.positions, p.positions_inverse);
  let position = row - outer * p.positions;
  y[(outer * p.result + p.first + position) * p.inner + k] = made(position, outer * p.extent * p.inner + k);
}

// Eight neighbours of a row, the first at coordinate `first`, `nothing` where the row has none.
fn take(row: i32, first: i32, lane: u32, row_inside: bool) -> f32 {
  let own = first + i32(lane);
  let v = eight(row + first, lane, i32(lane));
  return select(nothing(), v, row_inside && own >= 0 && own < i32(p.axes[2].extent));
}

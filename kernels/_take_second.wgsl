// Every second of 16 neighbours of a row, the first at coordinate `first`, `nothing` where the row has none.
fn take(row: i32, first: i32, lane: u32, row_inside: bool) -> f32 {
  let ahead = 2 * i32(lane);
  let own = first + ahead;
  let low = eight(row + first, lane, ahead);
  let high = eight(row + first + 8, lane, ahead - 8);
  return select(nothing(), select(low, high, lane >= 4u), row_inside && own >= 0 && own < i32(p.axes[2].extent));
}

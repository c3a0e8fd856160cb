// Neighbours of a row with one of `nothing` between every two: eight from coordinate `first` of that longer row on, `nothing` where it has none.
fn take(row: i32, first: i32, lane: u32, row_inside: bool) -> f32 {
  let own = first + i32(lane);
  let begin = first >> 1u;
  let v = eight(row + begin, lane, (own >> 1u) - begin);
  return select(nothing(), v, row_inside && (own & 1) == 0 && own >= 0 && (own >> 1u) < i32(p.axes[2].extent));
}

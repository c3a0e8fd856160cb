// Four nearest elements of a word each, neighbours along an innermost axis: an entry of the table names their places. Positions are counted
// in fours.
fn chosen(start: u32, place: u32) -> u32 {
  if (place == 0xffffffffu) {
    return p.outside.x;
  }
  return x[start + place];
}

fn run(i: u32) {
  let outer = divide(i, p.positions, p.positions_inverse);
  let four = i - outer * p.positions;
  let start = outer * p.extent;
  let place = p.table[four];
  y[outer * p.result + p.first + four] =
      vec4<u32>(chosen(start, place.x), chosen(start, place.y), chosen(start, place.z), chosen(start, place.w));
}

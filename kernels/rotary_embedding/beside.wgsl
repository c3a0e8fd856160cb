// Two parts have four pairs of neighbours.
fn pairs_of(a: wide, b: wide) -> array<wide, 2> {
  return array<wide, 2>(wide(a.xz, b.xz), wide(a.yw, b.yw));
}

fn parts_of(first: wide, second: wide) -> array<wide, 2> {
  return array<wide, 2>(wide(first.x, second.x, first.y, second.y), wide(first.z, second.z, first.w, second.w));
}

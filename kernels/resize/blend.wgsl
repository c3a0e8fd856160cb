// A sum of weighted elements: two pairs of place and weight in an entry of the table. Positions beyond the input have the place 0xffffffff.
// Nothing where the weight is zero, whatever the element.
fn part(weight: u32, at: u32) -> wide {
  return select(bitcast<f32>(weight) * wide(element_of(x[at >> per_word], at)), wide(), weight == 0u);
}

fn made(position: u32, start: u32) -> target_type {
  var sum = wide();
  for (var unit = position * p.units; unit < (position + 1u) * p.units; unit++) {
    let pairs = p.table[unit];
    if (pairs.x == 0xffffffffu) {
      return target_type(bitcast<f32>(p.outside.x));
    }
    sum += part(pairs.y, start + pairs.x * p.inner);
    sum += part(pairs.w, start + pairs.z * p.inner);
  }
  return target_type(sum);
}

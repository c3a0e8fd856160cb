// The norm of a window for powers over 2. Elements are divided by the largest, which the first pass finds: their powers neither overflow
// nor vanish together.
const passes = 2u;

alias part = vec2<f32>;  // the largest magnitude, the sum of powers

fn initial() -> part {
  return part();
}

fn replaces(total: part, x: f32) -> bool {
  return false;
}

fn whole_power(x: f32) -> f32 {
  var result = 1.0;
  var square = x;
  for (var rest = p.power; rest != 0u; rest >>= 1u) {
    result = select(result, result * square, (rest & 1u) == 1u);
    square *= square;
  }
  return result;
}

fn combine(total: part, x: f32, turn: u32) -> part {
  let a = abs(x);
  if (turn == 0u) {
    return part(select(total.x, a, a > total.x), 0.0);
  }
  return part(total.x, total.y + whole_power(select(a / total.x, 1.0, a == total.x)));
}

fn finish(total: part, count: u32) -> f32 {
  let root = select(power(total.y, p.root_high + p.root_low, p.root_high, p.root_low), 1.0, total.y == 1.0);
  return select(select(total.x * root, 0.0, total.x == 0.0), total.y, is_nan(total.y));
}

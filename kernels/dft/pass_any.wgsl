// A pass of any radix: one invocation makes one number, a sum of `radix` terms.
fn run(i: u32) {
  let butterfly = i / p.radix;
  let line = divide(butterfly, p.part, p.part_inverse);
  let j = butterfly - line * p.part;
  let k = j - divide(j, p.done, p.done_inverse) * p.done;
  let bin = k + (i - butterfly * p.radix) * p.done;
  let made = p.done * p.radix;
  var sum = x[line * p.n + j];
  var m = 0u;
  for (var term = 1u; term < p.radix; term++) {
    m += bin;
    m = select(m, m - made, m >= made);
    sum += turned(x[line * p.n + j + term * p.part], m);
  }
  y[line * p.n + (j - k) * p.radix + bin] = sum;
}

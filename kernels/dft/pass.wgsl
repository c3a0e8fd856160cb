// A pass of a radix that has a file of its own: one invocation makes `radix` numbers.
fn run(i: u32) {
  let line = divide(i, p.part, p.part_inverse);
  let j = i - line * p.part;
  let k = j - divide(j, p.done, p.done_inverse) * p.done;
  butterfly(line * p.n + j, p.part, k, line * p.n + (j - k) * p.radix + k, p.done);
}

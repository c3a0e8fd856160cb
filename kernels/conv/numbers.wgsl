// Numbers as a convolution of floats reads and sums them.
alias number = f32;

fn x_at(at: u32) -> number {
  return f32(x[at]);
}

fn weight_at(at: u32, channel: u32) -> number {
  return f32(w[at]);
}

fn multiply_add(a: number, b: number, c: number) -> number {
  return fma(a, b, c);
}

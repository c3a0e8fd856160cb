// Reports the first number of a dispatch that is at fault: 1 for one out of range, 2 for a divisor of zero; where it stands in its operand,
// and its (low, high) words, for the message of the run.
fn report_fault(kind: u32, place: u32, number: vec2<u32>) {
  if (atomicExchange(&fault[0], kind) == 0u) {
    atomicStore(&fault[1], place);
    atomicStore(&fault[2], number.x);
    atomicStore(&fault[3], number.y);
  }
}

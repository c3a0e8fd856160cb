// Updates begin at the first position.
fn start_of(batch: u32) -> u32 {
  return 0u;
}

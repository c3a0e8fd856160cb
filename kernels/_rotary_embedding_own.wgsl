// Every token has its row of the caches.
fn cache_row(batch: u32, token: u32) -> u32 {
  return batch * p.tokens + token;
}

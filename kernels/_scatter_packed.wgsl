// _scatter_put.wgsl for elements that share words: a word is exchanged only while nobody else has changed it.
@group(0) @binding(1) var<storage, read> updates: array<elem>;
@group(0) @binding(2) var<storage, read_write> y: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> fault: array<atomic<u32>>;
@group(0) @binding(4) var<uniform> p: Params;

fn run(i: u32) {
  let place = place_of(i);
  if (place.y == 0u) {
    report_place(i);
    return;
  }
  let update = element_of(updates[i >> per_word], i);
  let shift = (place.x & ((1u << per_word) - 1u)) * width;
  let word = place.x >> per_word;
  var seen = atomicLoad(&y[word]);
  for (;;) {
    let result = atomicCompareExchangeWeak(&y[word], seen, insertBits(seen, update, shift, width));
    if (result.exchanged) {
      break;
    }
    seen = result.old_value;
  }
}

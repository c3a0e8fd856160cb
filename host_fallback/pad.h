// What Pad's code on the host and on GPUs share: its mode and its lists per axis.
#pragma once

#include "host_fallback/int_list.h"

namespace dbk {

enum class PadMode : uint8_t { Constant, Edge, Reflect, Wrap };
PadMode pad_mode(const Attributes& attrs);

struct Pads {
  Shape before, behind;  // per axis of the input
};
Pads pads_of(const IntList& pads, const IntList& axes, uint32_t rank);
// An input without what negative pads take off: that happens first, and what modes repeat is the rest.
struct CroppedInput {
  Shape extents;       // of the rest; below zero where pads take off more than there is
  Pads added;          // not negative
  int64_t offset = 0;  // of the rest in the elements of the input
};
CroppedInput cropped(const Shape& in, const Pads& pads);
// Those that make `out` of `in`, half of them on either side.
Pads centred_pads(const Shape& in, const Shape& out);
// Of input 0 to output 0; what is added is input 2, attribute `value` or zero.
void compute_pad(Compute& c, const Pads& pads, PadMode mode);

}  // namespace dbk

// How the `line` convolution stores its input and its sums. Under every tap, the elements of neighbouring results must be
// neighbours: the input is stored with its padding, each axis split into as many phases as its stride, that of ConvTranspose
// with zeros between its elements (so a weight that is not finite makes NaN of more results than it belongs to); where windows are single elements it is read as it is. Sums lie as the results do if
// rows are whole vectors that hold a tile: in the result where that is f32, else in memory of their own, from which the last program of
// products stores results. Otherwise they lie in rows as long as those of the phases, and a last step takes results from there.
#pragma once

#include "host_fallback/conv.h"
#include "plugin/gpu/families/conv_line_text.h"

namespace dbk::gpu {

struct ConvPhases {
  struct Axis {
    int64_t in, out, kernel, dilation;
    int64_t stride;  // of windows
    int64_t apart;   // elements of the input
    int64_t begin;   // padding; negative where the input is cut
    int64_t length;  // of a phase; of the last axis a multiple of 4
  };
  std::array<Axis, 3> axes;  // outermost first
  bool as_is;                // the input is read where it is
  bool in_place;             // sums lie as the results do
  bool in_result;            // and where they go
  int64_t channels_in, channels_out;  // of all groups and batch entries
  int64_t phase, plane;               // stored elements of one phase, and of a channel
  int64_t row, slice;                 // stored elements from row to row, from slice to slice
  int64_t rows, slice_rows, width;    // rows of sums in a channel and in a slice of it; sums of a row

  ConvPhases(const Convolution& c, bool transposed, const ConvFinish& finish, uint32_t tile_columns);

  int64_t offset(int64_t tap) const;  // of the elements under a tap, within a channel, from a result's own place on
  uint64_t stored_bytes() const;
  uint64_t sum_bytes() const;
  Argument stored() const;  // what is multiplied
  Argument sums() const;
};

// Whether the input can be stored so at all, whatever its extents.
bool phases_possible(const Convolution& c, bool transposed);
// And with these extents.
bool phases_possible(const ConvPhases& phases, const Convolution& c, bool transposed);

// The steps around the products; `first` is the index of the first of their programs.
void phase_programs(const Convolution& c, bool transposed, const ConvFinish& finish, std::vector<Program>& out);
void launch_spread(const ConvPhases& phases, const Capabilities& caps, uint32_t first, std::vector<Dispatch>& out);
void launch_collect(const ConvPhases& phases, const Convolution& c, const ConvFinish& finish, const Capabilities& caps, uint32_t first,
                    std::vector<Dispatch>& out);

}  // namespace dbk::gpu

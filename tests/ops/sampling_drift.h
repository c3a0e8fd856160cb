// Resize, GridSample and RoiAlign on a GPU: sums of weighted neighbours, at most as large as the largest element times the sum of absolute
// weights.
//
// Resize. Weights come from the host, rounded once. A pass over one axis with t taps has a product and an addition for each, after all of
// which every partial sum was rounded: t + 2 roundings of at most the sum of |weight| |element|. Passes add up.
//
// GridSample. A place is computed in at most 8 steps, each a rounding of a number of at most P, the largest |place|: it is off by 8 P. The
// result moves by as much times the slope: 2 times the largest element between two neighbours, 4 times it in a cubic. Weights have at most 8 steps
// along each axis, then one product and one addition for each neighbour.
//
// RoiAlign. Places as above, in at most 10 steps; 4 products and additions for each sample, in a chain, and a division. What is beyond the
// input changes suddenly; tests stay away from there.
//
// DFT. A pass of four has, for each number, two products with roots (each rounded, each product three roundings) and two additions: 10 roundings. Those
// of one pass are as good as independent, and those behind one result add up to that much of the root of the line's sum of squares, which
// passes keep. 3 times that for each pass, in place of the root of their number. Other radices r have a product with a root or two for each
// term, too, and r additions, which add the root of r. STFT is a DFT of windowed frames, each sample rounded once.
#pragma once

#include "tests/ops/oracle.h"

namespace ops {

// Of every element of the result.
double drift_of_resize(const dbk::OpRow& row, const OpCase& test, std::span<const dbk::HostTensor> inputs);
double drift_of_grid_sample(const OpCase& test, std::span<const dbk::HostTensor> inputs);
double drift_of_roi_align(const OpCase& test, std::span<const dbk::HostTensor> inputs);

std::vector<double> drift_of_stft(const OpCase& test, std::span<const dbk::HostTensor> inputs, const dbk::HostTensor& y);
std::vector<double> drift_of_dft(const OpCase& test, std::span<const dbk::HostTensor> inputs, const dbk::HostTensor& y);

}  // namespace ops

// What `line` programs have in common: those of products, of steps of k (line_text.cpp), of all of k (line_whole_text.cpp) and those that
// turn B; what is not of products alone also those of attention.
#pragma once

#include "plugin/gpu/families/line_text.h"

namespace dbk::gpu {

inline constexpr uint32_t kLineHalves = kLineColumns / kLineLanes;  // vectors of lanes in a row of a tile

// Eight elements of an array, from its vector `at` + `first` on: one for each lane, as f32.
std::string picked(DType dtype, std::string_view array, std::string_view at, uint32_t first);
std::string single(DType dtype, std::string_view array);  // its first element for all lanes
// Four lanes of a value, the low or the high half, as the vector that is stored.
std::string stored_lanes(DType dtype, std::string_view value, uint32_t half);

// Stores vectors of four, <name>0 to <name><count - 1>, by components, in `turned` from its vector `at` on.
void write_turned(std::string& s, std::string_view name, uint32_t count, std::string_view at, std::string_view element);

// Where `b` begins, and the vectors of A that hold row i of the tile, which is number `row` of the matrix. The tile starts with step `k_start`.
void write_b_place(std::string& s, const Line& t, std::string_view k_start);
void write_a_place(std::string& s, const Line& t, uint32_t i, std::string_view row, std::string_view k_start);

// Sums c<row>_<half>, to which `depth` steps are added.
void write_products(std::string& s, const Line& t, DType dtype);
// A branch that is never taken.
void write_cut(std::string& s, const Line& t);

// The body of a program for all of k.
void write_whole(std::string& s, const Line& t, const ProductForm& form);
uint32_t sums_of_group(const Line& t);  // in its workgroup memory

}  // namespace dbk::gpu

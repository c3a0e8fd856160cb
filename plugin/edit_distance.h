// How far a name is from one that somebody may have meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace dbk {

// Letters to insert, drop or replace. Takes the product of both lengths.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace dbk

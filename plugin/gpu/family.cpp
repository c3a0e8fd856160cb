#include "plugin/gpu/family.h"

#include "plugin/gpu/families/families.h"

namespace dbk::gpu {

const Family* find_family(std::string_view name) {
  static constexpr const Family* kAll[] = {
#define DBK_FAMILY(object) &object,
#include "plugin/gpu/families/families.inc"
#undef DBK_FAMILY
  };
  for (const Family* family : kAll)
    if (family->name == name) return family;
  return nullptr;
}

std::string Controls::refuse_coop_columns(int64_t columns) const {
  return coop_columns > 0 && columns > coop_columns ? std::format("option coop_columns={}, and it has {}", coop_columns, columns) : "";
}

std::array<uint32_t, 3> grid_of(uint64_t groups, const Capabilities& caps) {
  // Rows of nearly equal length, so that the overshoot is less than one group per row.
  const auto rows_of = [&](uint64_t n) { return (n + caps.max_groups - 1) / caps.max_groups; };
  const uint64_t rows = rows_of(groups);
  const uint64_t layers = rows_of(rows);
  if (layers > caps.max_groups) fail(DBK_UNIMPLEMENTED, "a grid of {} groups exceeds the adapter's limits", groups);
  const uint64_t x = (groups + rows - 1) / rows;
  const uint64_t y = (rows + layers - 1) / layers;
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(layers)};
}

}  // namespace dbk::gpu

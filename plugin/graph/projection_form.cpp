#include "plugin/graph/projection_form.h"

#include <bit>
#include <format>

namespace dbk {

const char* to_string(ProjectionForm form) {
  constexpr const char* kNames[] = {"packed", "split", "plain"};
  return kNames[static_cast<size_t>(form)];
}

std::string describe(const ProjectionLayer& layer) {
  std::string text = std::format("projections {} rows={} k={} widths=", to_string(layer.dtype), std::bit_ceil(static_cast<uint64_t>(layer.rows)), layer.k);
  for (size_t i = 0; i < layer.widths.size(); ++i) text += std::format("{}{}", i > 0 ? "," : "", layer.widths[i]);
  if (!layer.reader.empty()) text += " " + layer.reader;
  return text + (layer.joined ? " joined" : "") + (layer.biased ? " biased" : "") + (layer.own_ends ? " own_ends" : "");
}

std::vector<ProjectionForm> forms_of(const ProjectionLayer& layer) {
  if (layer.unpacked.empty()) return {ProjectionForm::Packed, ProjectionForm::Split, ProjectionForm::Plain};
  return {ProjectionForm::Split, ProjectionForm::Plain};
}

ProjectionAdvice usual_form(const ProjectionLayer& layer) {
  if (layer.unpacked.empty()) return {ProjectionForm::Packed, "attention reads columns where they lie", {}};
  if (layer.joined) return {ProjectionForm::Split, "the parts are written at once, not copied", {}};
  return {ProjectionForm::Plain, layer.unpacked, {}};
}

}  // namespace dbk

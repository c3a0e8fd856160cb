#include "plugin/graph/projection_form.h"

namespace dbk {

const char* to_string(ProjectionForm form) {
  constexpr const char* kNames[] = {"packed", "split", "plain"};
  return kNames[static_cast<size_t>(form)];
}

ProjectionAdvice usual_form(const ProjectionLayer& layer) {
  if (layer.packable) return {ProjectionForm::Packed, "attention reads columns where they lie", {}};
  if (layer.joined) return {ProjectionForm::Split, "the parts are written at once, not copied", {}};
  return {ProjectionForm::Plain, "no attention reads all of them", {}};
}

}  // namespace dbk

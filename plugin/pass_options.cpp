#include "plugin/pass_options.h"

namespace dbk {

namespace {

// Option `qkv` where the layer has that form, else the usual one.
ProjectionAdvice advise(const std::string& wish, const ProjectionLayer& layer) {
  for (const ProjectionForm form : {ProjectionForm::Packed, ProjectionForm::Split, ProjectionForm::Plain}) {
    if (wish != to_string(form)) continue;
    if (form != ProjectionForm::Packed || layer.packable) return {form, "option qkv=" + wish, {}};
    ProjectionAdvice other = usual_form(layer);
    other.reason += "; option qkv=packed cannot: no attention reads all of it";
    return other;
  }
  return usual_form(layer);
}

}  // namespace

PassOptions pass_options(Device& device, const Options& options) {
  const auto advisor = [wish = options.text("qkv")](const ProjectionLayer& layer) { return advise(wish, layer); };
  return {options.text("fusion") == "on", !device.is_cpu(), advisor};
}

}  // namespace dbk

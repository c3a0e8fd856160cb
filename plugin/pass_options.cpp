#include "plugin/pass_options.h"

#include <algorithm>

namespace dbk {

namespace {

using Alone = std::function<Graph()>;

// A form is measured under a name that begins so and ends with what option qkv calls it.
constexpr std::string_view kFormOption = "qkv ";

// What decides: option `qkv` where the layer has that form, else what was measured of such layers, else the usual one.
class Advisor {
 public:
  Advisor(Device& device, const Options& options, std::function<void(const Trial&)> measure)
      : device_(device), wish_(options.text("qkv")), told_(options.told("qkv")), precision_(options.text("precision")), measure_(std::move(measure)) {}

  ProjectionAdvice operator()(const ProjectionLayer& layer, const Alone& alone) const {
    for (const ProjectionForm form : forms_of(layer))
      if (wish_ == to_string(form)) return {form, told_, {}};
    ProjectionAdvice advice = measured(layer, alone);
    if (advice.microseconds.empty()) advice = usual_form(layer);
    if (wish_ != "auto") advice.reason += std::format("; {} cannot: {}", told_, layer.unpacked);
    return advice;
  }

 private:
  // No times where there are none.
  ProjectionAdvice measured(const ProjectionLayer& layer, const Alone& alone) const {
    const std::string about = describe(layer) + " precision=" + precision_;
    if (measure_ && alone) measure_(trial_of(layer, alone, about));
    ProjectionAdvice advice;
    const Trial::Known known = device_.measured(about);
    for (const Trial::Time& time : known.times)
      for (const ProjectionForm form : forms_of(layer))
        if (time.kernel == kernel_of(form)) advice.microseconds.emplace_back(form, time.microseconds);
    std::ranges::sort(advice.microseconds, {}, &std::pair<ProjectionForm, double>::second);
    if (advice.microseconds.empty()) return advice;
    advice.form = advice.microseconds[0].first, advice.reason = "the fastest that was measured";
    if (known.tried == Tried::Part) advice.reason += "; the time for measuring ended early";
    return advice;
  }

  static std::string kernel_of(ProjectionForm form) { return std::string(kFormOption) + to_string(form); }

  // What is kept of a layer is the whole answer: of its few forms all are measured. What the caller wrote is right.
  Trial trial_of(const ProjectionLayer& layer, const Alone& alone, const std::string& about) const {
    Trial trial{.about = about, .name = "forms of " + about, .reference = kernel_of(ProjectionForm::Plain)};
    for (const ProjectionForm form : forms_of(layer)) trial.kernels.push_back(kernel_of(form));
    trial.whole = true;
    trial.alone = [&alone, this](const std::string& kernel) {
      const std::string_view form = std::string_view(kernel).substr(kFormOption.size());
      return Trial::Alone{alone(), Options(nullptr, "compile").with("precision", precision_).with("fusion", "on").with("qkv", form)};
    };
    return trial;
  }

  Device& device_;
  std::string wish_, told_, precision_;
  std::function<void(const Trial&)> measure_;
};

}  // namespace

PassOptions pass_options(Device& device, const Options& options, std::function<void(const Trial&)> measure) {
  const bool has_f16 = device.info().features & DBK_FEATURE_F16;
  return {options.text("fusion") == "on", !device.is_cpu(), has_f16, Advisor(device, options, std::move(measure))};
}

}  // namespace dbk

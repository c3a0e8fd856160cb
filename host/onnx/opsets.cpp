// Reading of opset imports; see opsets.h.
#include "opsets.h"

#include <format>

#include "daybreak_error.hpp"
#include "printable.h"

namespace host {

std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? std::string() : domain; }

Opsets::Opsets(const Imports& imports) {
  for (const onnx::OperatorSetIdProto& import : imports) {
    const std::string domain = plain_domain(import.domain());
    const std::string shown = domain.empty() ? "ai.onnx" : in_quotes(domain);
    if (import.version() < 1 || import.version() > INT32_MAX)
      throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("opset {} of {} is no version", import.version(), shown));
    const auto [known, added] = versions_.emplace(domain, static_cast<uint32_t>(import.version()));
    if (!added && std::cmp_not_equal(known->second, import.version()))
      throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("opset {} and opset {} of {} are both imported",
                                                              known->second, import.version(), shown));
  }
}

std::optional<uint32_t> Opsets::find(const std::string& domain) const {
  const auto known = versions_.find(plain_domain(domain));
  return known == versions_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace host

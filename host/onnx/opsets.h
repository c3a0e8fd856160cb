// The versions of operator domains that a model or one of its functions was written for.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace host {

class Opsets {
 public:
  using Imports = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;

  // Throws daybreak::Error: versions that are none, a domain with two versions.
  explicit Opsets(const Imports& imports);

  std::optional<uint32_t> find(const std::string& domain) const;  // "ai.onnx" is ""

 private:
  std::map<std::string, uint32_t> versions_;
};

// ONNX's default domain has two names; this is the shorter one.
std::string plain_domain(const std::string& domain);

}  // namespace host

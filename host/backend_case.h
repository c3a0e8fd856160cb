// One case of ONNX's backend tests: a directory with model.onnx and test_data_set_N/{input,output}_K.pb.
#pragma once

#include <filesystem>
#include <string>

#include "daybreak.hpp"

namespace host {

struct CaseResult {
  enum class Verdict { passed, failed, skipped };
  Verdict verdict = Verdict::passed;
  std::string detail;  // what happened
  std::string reason;  // the same without names and numbers, so that cases can be counted by it
};

// Never throws for what a case contains.
CaseResult run_case(const daybreak::Context& ctx, const std::filesystem::path& directory,
                    const daybreak::Options& options);

}  // namespace host

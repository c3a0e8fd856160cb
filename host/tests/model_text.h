// Models for tests, written in ONNX's text form and imported through a file.
#pragma once

#include <onnx/defs/parser.h>
#include <unity.h>

#include <functional>
#include <string>

#include "onnx/imported_model.h"
#include "temp_dir.h"

inline onnx::ModelProto model_of(const std::string& text) {
  onnx::ModelProto model;
  onnx::OnnxParser parser(text.c_str());
  const auto status = parser.Parse(model);
  TEST_ASSERT_TRUE_MESSAGE(status.IsOK(), status.ErrorMessage().c_str());
  return model;
}

// The file and the graph made from it, which borrows from the file.
struct Imported {
  explicit Imported(const onnx::ModelProto& model, const host::ImportOptions& options = {})
      : file(dir.write("model.onnx", model.SerializeAsString())), result(host::import_model(file, options)) {}
  explicit Imported(const std::string& text, const host::ImportOptions& options = {})
      : Imported(model_of(text), options) {}

  TempDir dir;
  host::ModelFile file;
  host::ImportedModel result;
};

// What import says about a model that it refuses: every cause on a line.
inline std::string refusal(const onnx::ModelProto& model, const host::ImportOptions& options = {}) {
  try {
    Imported imported(model, options);
  } catch (const daybreak::Error& error) {
    std::string text = daybreak::status_name(error.status());
    for (const daybreak::Cause& cause : error.causes()) text += "\n" + cause.message;
    return text;
  }
  return "nothing was refused";
}
inline std::string refusal(const std::string& text, const host::ImportOptions& options = {}) {
  return refusal(model_of(text), options);
}

inline void expect_in(const std::string& text, const std::string& wanted) {
  TEST_ASSERT_TRUE_MESSAGE(text.find(wanted) != std::string::npos, ("'" + wanted + "' is not in: " + text).c_str());
}

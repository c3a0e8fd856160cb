// Files that people take for ONNX: how each begins.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace host {

// "a GGUF file": what bytes that are no ONNX are instead; empty where nobody knows.
std::string other_format(std::span<const std::byte> bytes);

}  // namespace host

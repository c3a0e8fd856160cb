// The demo on a compiled sentence model: embeds sentences, compares them, tells where that ran and how long it took.
// The similarities of the built-in sentences are known, so they are also judged.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "sentence_embedder.h"
#include "sentence_input.h"
#include "timing.h"

namespace host {

struct EmbeddingOutcome {
  Sentences sentences;
  std::size_t longest = 0;                      // tokens
  std::vector<std::vector<double>> similarity;  // of each with each
  nlohmann::json placement = nlohmann::json::object();
  Timing timing;

  static constexpr double allowed_error = 1e-3;
  double max_error() const;                                    // of the built-in sentences; 0 for others
  bool right() const { return max_error() <= allowed_error; }  // false for NaN
};

// `timing` holds the time of compilation already.
EmbeddingOutcome run_embedding_demo(const daybreak::Executable& exec, const WordPieceTokenizer& tokenizer,
                                    Sentences sentences, uint32_t repeat, Timing timing);

void print_text(const EmbeddingOutcome& outcome);
void print_json(const EmbeddingOutcome& outcome);  // schema daybreak.run/1

}  // namespace host

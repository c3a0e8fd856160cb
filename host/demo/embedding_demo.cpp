// Running and reporting; see embedding_demo.h.
#include "embedding_demo.h"

#include <array>
#include <cmath>
#include <format>
#include <iostream>

#include "placement.h"
#include "report.h"
#include "similarity.h"

namespace host {
namespace {

// The first built-in sentence against each of them, by ONNX Runtime on the CPU.
constexpr std::array expected{1.0, 0.69458, 0.94291, 0.25688};

}  // namespace

double EmbeddingOutcome::max_error() const {
  double worst = 0;
  for (std::size_t i = 0; sentences.built_in && i < expected.size(); ++i) {
    const double error = std::abs(similarity.at(0).at(i) - expected[i]);
    if (!(error <= worst)) worst = error;
    if (std::isnan(worst)) return worst;
  }
  return worst;
}

EmbeddingOutcome run_embedding_demo(const daybreak::Executable& exec, const WordPieceTokenizer& tokenizer,
                                    Sentences sentences, uint32_t repeat, Timing timing) {
  EmbeddingOutcome outcome;
  outcome.sentences = std::move(sentences);
  outcome.timing = std::move(timing);
  SentenceEmbedder embedder(exec, tokenizer, outcome.sentences.texts);
  outcome.longest = embedder.longest();
  Embeddings embeddings;
  outcome.timing.measure(repeat, [&] { embeddings = embedder.embed(); });
  outcome.similarity = similarities(embeddings);
  outcome.placement = parse_report(exec.report("placement"));
  return outcome;
}

void print_text(const EmbeddingOutcome& outcome) {
  const std::vector<std::string>& texts = outcome.sentences.texts;
  std::cout << std::format("job         sentence embeddings, all-MiniLM-L6-v2, f32: {} sentence{}, up to {} tokens\n",
                           texts.size(), texts.size() == 1 ? "" : "s", outcome.longest);
  std::cout << "similarity\n" << similarity_table(texts, outcome.similarity);
  if (outcome.sentences.built_in)
    std::cout << std::format("max error   {:.2g} against ONNX Runtime (allowed {:.0e}): {}\n", outcome.max_error(),
                             EmbeddingOutcome::allowed_error, outcome.right() ? "right" : "WRONG");
  std::cout << std::format("device      {}\nplacement   {}\ntime        {}\n", placement_device(outcome.placement),
                           placement_text(outcome.placement), outcome.timing.text());
}

void print_json(const EmbeddingOutcome& outcome) {
  nlohmann::json document = {{"schema", "daybreak.run/1"},
                             {"job", "sentence embeddings"},
                             {"model", "minilm-f32"},
                             {"sentences", outcome.sentences.texts},
                             {"tokens", outcome.longest},
                             {"similarity", outcome.similarity},
                             {"device", placement_device(outcome.placement)},
                             {"placement", outcome.placement},
                             {"seconds", outcome.timing.json()},
                             {"repeat", outcome.timing.run_seconds.size() - 1}};
  if (outcome.sentences.built_in) {
    document["max_error"] = outcome.max_error();
    document["allowed_error"] = EmbeddingOutcome::allowed_error;
    document["right"] = outcome.right();
  }
  std::cout << document_text(document) << '\n';
}

}  // namespace host

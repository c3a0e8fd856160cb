// The demo: provides the sentence model, compiles it for the sentences at hand and shows what it makes of them. See
// demo_run.h.
#include "demo_run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <format>

#include "demo/embedding_demo.h"
#include "model_files.h"
#include "onnx/imported_model.h"
#include "progress.h"
#include "session.h"

namespace host {
namespace {

constexpr const char* model_id = "minilm-f32";

// Both dynamic dimensions get the largest extent that these sentences need.
ImportOptions extents_for(const Sentences& sentences, const WordPieceTokenizer& tokenizer) {
  std::size_t longest = 0;
  for (const std::string& text : sentences.texts)
    longest = std::max(longest, tokenizer.encode(text, SentenceEmbedder::most_tokens).size());
  const std::size_t rows = std::min(sentences.texts.size(), SentenceEmbedder::most_rows);
  ImportOptions result;
  result.dims = {{"batch_size", {1, static_cast<int64_t>(rows)}},
                 {"sequence_length", {1, static_cast<int64_t>(longest)}}};
  return result;
}

void warn_of_cuts(const Sentences& sentences, const WordPieceTokenizer& tokenizer) {
  constexpr std::size_t most = SentenceEmbedder::most_tokens;
  const auto cut = std::ranges::count_if(sentences.texts, [&](const std::string& text) { return tokenizer.encode(text, most + 1).size() > most; });
  if (cut > 0)
    std::fprintf(stderr, "daybreak: warning: %td of %zu sentences: cut after %zu tokens\n", cut, sentences.texts.size(), most);
}

}  // namespace

void run_demo(const daybreak::Context& ctx, const ModelOptions& options, uint32_t repeat) {
  const Sentences sentences = read_sentences(STDIN_FILENO);
  const auto files = model_files(model_id);
  const WordPieceTokenizer tokenizer(Vocabulary::from_file(files.at(std::string(model_id) + ".vocab.txt")));
  warn_of_cuts(sentences, tokenizer);
  Timing timing;
  const Stopwatch watch;
  ModelFile file(files.at(std::string(model_id) + ".onnx"));
  ImportOptions how = extents_for(sentences, tokenizer);
  how.knows = ops_known(ctx);
  ImportedModel model = import_model(file, how);
  const daybreak::Executable exec = compile_ready(ctx, model, options);
  timing.compile_seconds = watch.seconds();
  const EmbeddingOutcome outcome = run_embedding_demo(exec, tokenizer, sentences, repeat, timing);
  options.json ? print_json(outcome) : print_text(outcome);
  if (outcome.right()) return;
  throw daybreak::Error(DBK_DATA_LOSS, std::format("the result is wrong: max error {:.3g}, allowed {:.0e}; `daybreak "
                                                   "run --device cpu` shows whether the device is to blame",
                                                   outcome.max_error(), EmbeddingOutcome::allowed_error));
}

}  // namespace host

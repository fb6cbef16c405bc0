// The model that a store trains on its own texts (LSA), on pieces of about 200 words: analysing and
// training, opening, and embedding pieces and questions. One thread.

#include <span>

#include "bench/micro/made_text.h"
#include "bench/micro/micro.h"
#include "index/base/text/tokenizer.h"
#include "index/embed/lsa/lsa_embedder.h"
#include "index/embed/lsa/lsa_trainer.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

constexpr size_t kPieceBytes = 1'400;

// Pieces that end at white space.
const std::vector<std::string>& Pieces() {
  static const std::vector<std::string> pieces = [] {
    std::vector<std::string> cut;
    for (std::string_view text : SampleTexts()) {
      while (!text.empty()) {
        size_t end = std::min(kPieceBytes, text.size());
        if (end < text.size()) end = std::min(text.find_first_of(" \n", end), text.size());
        cut.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
      }
    }
    return cut;
  }();
  return pieces;
}

void AddPieces(LsaTrainer* trainer) {
  const size_t step = Pieces().size() / kTrainingChunks + 1;
  for (size_t i = 0; i < Pieces().size(); i += step) trainer->Add("", Pieces()[i]);
}

std::string TrainedBytes(const LsaTrainer& trainer) {
  return EncodeModel(Get(trainer.Train(1, nullptr)));
}

const std::string& ModelBytes() {
  static const std::string bytes = [] {
    LsaTrainer trainer;
    AddPieces(&trainer);
    return TrainedBytes(trainer);
  }();
  return bytes;
}

const LsaModel& TheModel() {
  static const LsaModel model = Get(LsaModel::Open(AsBytes(ModelBytes())));
  return model;
}

void AnalysePieces(benchmark::State& state) {
  Check(!Pieces().empty(), "no pieces");
  uint32_t chunks = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    LsaTrainer trainer;
    AddPieces(&trainer);
    chunks = trainer.chunks();
  }
  state.SetItemsProcessed(state.iterations() * chunks);
}
BENCHMARK(AnalysePieces)->Name("lsa/analyse")->Unit(benchmark::kMillisecond);

void TrainModel(benchmark::State& state) {
  LsaTrainer trainer;
  AddPieces(&trainer);
  size_t bytes = 0;
  {
    const KernelCounts counts(state);
    for (auto _ : state) bytes = TrainedBytes(trainer).size();
  }
  state.SetItemsProcessed(state.iterations() * trainer.chunks());
  state.counters["model_bytes"] = static_cast<double>(bytes);
}
BENCHMARK(TrainModel)->Name("lsa/train")->Unit(benchmark::kMillisecond);

void OpenModel(benchmark::State& state) {
  const std::string& bytes = ModelBytes();
  const KernelCounts counts(state);
  for (auto _ : state) benchmark::DoNotOptimize(Get(LsaModel::Open(AsBytes(bytes))).terms());
}
BENCHMARK(OpenModel)->Name("lsa/open")->Unit(benchmark::kMicrosecond);

enum class Embedded { kTexts, kStems, kQuestions };

void EmbedPieces(benchmark::State& state, Embedded what) {
  std::vector<std::string> texts = Pieces();
  Tokenizer tokenizer;
  LexicalText lexical;
  for (std::string& text : texts) {
    if (what == Embedded::kQuestions) text.resize(std::min<size_t>(text.size(), 60));
    if (what != Embedded::kStems) continue;
    tokenizer.Analyze("", text, &lexical);
    text = lexical.body;
  }
  LsaEmbedder embedder(TheModel());
  std::vector<float> vector(TheModel().dim());
  size_t turn = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    const std::string_view text = texts[turn++ % texts.size()];
    Must(what == Embedded::kStems ? embedder.EmbedStems(std::span(&text, 1), vector)
                                  : embedder.Embed(std::span(&text, 1), vector));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(EmbedPieces, texts, Embedded::kTexts)
    ->Name("lsa/embed_text")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(EmbedPieces, stems, Embedded::kStems)
    ->Name("lsa/embed_stems")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(EmbedPieces, questions, Embedded::kQuestions)
    ->Name("lsa/embed_question")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace recall

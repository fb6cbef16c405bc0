// From texts to the tokens of the lexical index, and to chunks. One thread.

#include "index/base/text/tokenizer.h"

#include "bench/micro/made_text.h"
#include "bench/micro/micro.h"
#include "index/source/chunk/chunker.h"

namespace recall {
namespace {

void Tokenize(benchmark::State& state) {
  const std::vector<std::string>& texts = SampleTexts();
  Tokenizer tokenizer;
  LexicalText lexical;
  uint64_t tokens = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    for (const std::string& text : texts) {
      tokenizer.Analyze("", text, &lexical);
      tokens += lexical.tokens;
    }
  }
  Check(tokens > 0, "no tokens");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(BytesOf(texts)));
  state.counters["tokens"] = PerIteration(static_cast<double>(tokens));
}
BENCHMARK(Tokenize)->Name("tokenizer/texts")->Unit(benchmark::kMillisecond);

void TokenizeQuestion(benchmark::State& state) {
  SplitMix64 random(7);
  const std::string question = MakeSentence(&random, 8);
  LexicalText lexical;
  const KernelCounts counts(state);
  for (auto _ : state) {
    Tokenizer tokenizer;  // without a cache, as in a process that asks once
    tokenizer.Analyze("", question, &lexical);
    benchmark::DoNotOptimize(lexical.body.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(TokenizeQuestion)->Name("tokenizer/question")->Unit(benchmark::kMicrosecond);

void Chunk(benchmark::State& state, Parser parser) {
  const std::vector<std::string>& texts = SampleTexts();
  size_t chunks = 0;
  const KernelCounts counts(state);
  for (auto _ : state) {
    for (const std::string& text : texts) chunks += ChunkText(text, parser, {}).size();
  }
  Check(chunks > 0, "no chunks");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(BytesOf(texts)));
  state.counters["chunks"] = PerIteration(static_cast<double>(chunks));
}
BENCHMARK_CAPTURE(Chunk, markdown, Parser::kMarkdown)
    ->Name("chunker/markdown")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Chunk, plain, Parser::kPlain)
    ->Name("chunker/plain")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Chunk, code, Parser::kCode)->Name("chunker/code")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace recall

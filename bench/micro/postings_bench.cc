// Posting lists of one word: encoding, opening, decoding and merging; and the postings of texts, as
// an ingest makes them. An item is a posting.

#include "bench/micro/made_text.h"
#include "bench/micro/micro.h"
#include "index/base/text/tokenizer.h"
#include "index/search/lexical/bm25.h"
#include "index/search/lexical/posting_blocks.h"
#include "index/search/lexical/posting_merge.h"
#include "storage/fts5/fts_postings.h"

namespace recall {
namespace {

// Of a word that occurs in `percent` of the chunks.
PostingList MakePostings(int64_t percent, uint64_t seed) {
  SplitMix64 random(seed);
  PostingList postings;
  for (uint32_t row = 0; row < Options().chunks; ++row) {
    if (random.Next() % 100 >= static_cast<uint64_t>(percent)) continue;
    postings.push_back({row, 1 + static_cast<uint32_t>(random.Next() % 5)});
  }
  return postings;
}

double NormOfMadeRow(uint32_t row) { return LengthNorm(200)(100 + row % 200); }

void Percents(benchmark::internal::Benchmark* bench) {
  bench->ArgName("percent")->Arg(1)->Arg(10)->Arg(50)->Unit(benchmark::kMicrosecond);
}

void Encode(benchmark::State& state) {
  const PostingList postings = MakePostings(state.range(0), 1);
  size_t bytes = 0;
  const KernelCounts counts(state);
  for (auto _ : state) bytes = PostingBlocks::Encode(postings, NormOfMadeRow).size();
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(postings.size()));
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(Encode)->Name("postings/encode")->Apply(Percents);

void OpenAndDecode(benchmark::State& state) {
  const PostingList postings = MakePostings(state.range(0), 1);
  const std::vector<uint8_t> bytes = PostingBlocks::Encode(postings, NormOfMadeRow);
  const KernelCounts counts(state);
  for (auto _ : state) {
    const auto blocks = PostingBlocks::Open(bytes);
    Check(blocks && blocks->Decode() == postings, "other postings are decoded");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(postings.size()));
}
BENCHMARK(OpenAndDecode)->Name("postings/open_and_decode")->Apply(Percents);

void Merge(benchmark::State& state) {
  const std::vector<PostingList> lists = {MakePostings(state.range(0), 1),
                                          MakePostings(state.range(0), 2),
                                          MakePostings(state.range(0), 3)};
  size_t postings = 0;
  for (const PostingList& list : lists) postings += list.size();
  const KernelCounts counts(state);
  for (auto _ : state) benchmark::DoNotOptimize(MergePostings(lists));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(postings));
}
BENCHMARK(Merge)->Name("postings/merge_three")->Apply(Percents);

void OfTexts(benchmark::State& state) {
  Tokenizer tokenizer;
  std::vector<LexicalText> analysed(SampleTexts().size());
  int64_t tokens = 0;
  for (size_t i = 0; i < analysed.size(); ++i) {
    tokenizer.Analyze("", SampleTexts()[i], &analysed[i]);
    tokens += analysed[i].tokens;
  }
  const KernelCounts counts(state);
  for (auto _ : state) {
    FtsPostingsBuilder builder;
    for (const LexicalText& text : analysed) builder.AddRow(text.body, text.compound);
    benchmark::DoNotOptimize(builder.Take().lists().data());
  }
  state.SetItemsProcessed(state.iterations() * tokens);
}
BENCHMARK(OfTexts)->Name("postings/of_texts")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace recall

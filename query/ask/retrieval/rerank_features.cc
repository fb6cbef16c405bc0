// Reads what reranking needs of its window: the quantised vectors, and the BM25 scores of character
// n-grams.
//
// Idea. N-gram scores are computed from the words of the chunks, which the forward index has
// (index/search/ngram/forward_record.h). For chunks without a usable record, such as the newest
// ones, they are computed from the texts. These are read in the order of chunk rowids, so that a
// text shared by neighbouring chunks is read and decompressed once. With two threads, the calling
// thread reads and decompresses while a second one scores. An atomic counter publishes how many
// texts are ready; the second thread waits for it to grow.
//
// Invariants. A score is the same, to the bit, whether it comes from the words or from the text,
// and for any number of threads. Only the calling thread uses the snapshot. The counter always
// reaches its final value, even after an error, so the second thread ends. A text is read by the
// second thread only after it was published, and never changes again.
//
// Cost: reading one record for each chunk of the window, half a millisecond for 300; reading and
// scoring a text takes fifty times as long as a record.

#include "query/ask/retrieval/rerank_features.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <numeric>
#include <string>

#include "index/search/ngram/forward_scorer.h"
#include "index/search/ngram/ngram_scorer.h"
#include "index/search/ngram/word_dictionary.h"
#include "storage/base/bytes.h"
#include "storage/base/hosted.h"

namespace recall {
namespace {

// Returns: nothing if the store has no n-gram statistics or the query has no n-gram.
Result<std::optional<NgramScorer>> MakeScorer(const TextsAndFacts& texts, std::string_view wanted) {
  RECALL_ASSIGN(const auto bytes, texts.ReadModelPart(kNgramPart));
  if (!bytes) return std::nullopt;
  RECALL_ASSIGN(const NgramStatistics statistics, NgramStatistics::Decode(AsBytes(*bytes)));
  NgramScorer scorer(wanted, statistics);
  if (scorer.Empty()) return std::nullopt;
  return std::optional(std::move(scorer));
}

// The minimum number of texts for a second thread. Fewer are scored before it has started.
constexpr size_t kWorthAThread = 32;

struct Passage {
  std::string heading;
  std::string text;
};

// The number of items that one thread has finished; another thread can wait for it to grow.
class Progress final {
 public:
  void Reach(size_t count) {
    count_ = count;
    count_.notify_one();
  }
  void WaitFor(size_t count) const {
    for (size_t now = count_; now < count; now = count_) count_.wait(now);
  }

 private:
  std::atomic<size_t> count_ = 0;
};

// Parallel to the rows; unset if the snapshot does not contain the chunk.
using NgramScores = std::vector<std::optional<double>>;

// Sets the scores of the rows that the forward index covers. A damaged dictionary or record is left
// to `recall doctor`: the text has the same words.
Status ScoreByWords(const TextsAndFacts& texts, const NgramScorer& scorer,
                    std::span<const uint32_t> rows, NgramScores& scores) {
  RECALL_ASSIGN(std::optional<std::string> bytes, texts.ReadWordDictionary());
  if (!bytes) return Status::Ok();
  auto dictionary = WordDictionary::Decode(*std::move(bytes));
  if (!dictionary) return Status::Ok();
  ForwardScorer by_words(scorer, *std::move(dictionary));
  return texts.ScanChunkWords(rows, [&](uint32_t i, ByteSpan record) {
    const Result<double> score = by_words.Score(record);
    if (score) scores[i] = *score;
  });
}

// Requires: `rows` is ascending.
Status ScoreInTurn(const TextsAndFacts& texts, NgramScorer& scorer, std::span<const uint32_t> rows,
                   NgramScores& scores) {
  return texts.ScanPassages(rows, [&](uint32_t i, std::string_view heading, std::string_view text) {
    scores[i] = scorer.Score(heading, text);
  });
}

// Reports all rows as ready at the end, even after an error, because another thread waits for them.
// Requires: `rows` is ascending.
Status ReadPassages(const TextsAndFacts& texts, std::span<const uint32_t> rows,
                    std::vector<std::optional<Passage>>& passages, Progress& progress) {
  constexpr size_t kBatch = 8;  // waking a thread takes as long as scoring a few texts
  struct AtTheEnd {
    Progress& progress;
    size_t all;
    ~AtTheEnd() { progress.Reach(all); }
  } const at_the_end{progress, rows.size()};
  return texts.ScanPassages(rows, [&](uint32_t i, std::string_view heading, std::string_view text) {
    passages[i] = {std::string(heading), std::string(text)};
    if (i % kBatch == kBatch - 1) progress.Reach(i + 1);
  });
}

// This thread, which the snapshot belongs to, reads and decompresses texts while another one scores
// them.
Status ScoreBeside(const TextsAndFacts& texts, NgramScorer& scorer, std::span<const uint32_t> rows,
                   NgramScores& scores) {
  std::vector<std::optional<Passage>> passages(rows.size());
  Progress read;
  const auto score = [&] {
    for (size_t i = 0; i < rows.size(); ++i) {
      read.WaitFor(i + 1);
      if (passages[i]) scores[i] = scorer.Score(passages[i]->heading, passages[i]->text);
    }
  };
  std::future<void> scored = [&] {
    const QuietStart quiet;
    return std::async(score);
  }();
  RECALL_TRY(ReadPassages(texts, rows, passages, read));
  scored.get();
  return Status::Ok();
}

// Sets the scores of the rows that have none yet. Requires: `rows` is ascending.
Status ScoreByTexts(const TextsAndFacts& texts, NgramScorer& scorer, std::span<const uint32_t> rows,
                    size_t threads, NgramScores& scores) {
  std::vector<uint32_t> left;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!scores[i]) left.push_back(rows[i]);
  }
  if (left.empty()) return Status::Ok();
  NgramScores found(left.size());
  const bool beside = threads > 1 && left.size() >= kWorthAThread;
  RECALL_TRY(beside ? ScoreBeside(texts, scorer, left, found)
                    : ScoreInTurn(texts, scorer, left, found));
  for (size_t i = 0, next = 0; i < rows.size(); ++i) {
    if (!scores[i]) scores[i] = found[next++];
  }
  return Status::Ok();
}

}  // namespace

Result<RerankFeatures> ReadRerankFeatures(const TextsAndFacts& texts,
                                          const SemanticCandidates& vectors,
                                          std::string_view wanted,
                                          std::span<const ScoredChunk> window, size_t threads) {
  RerankFeatures features;
  features.items.resize(window.size());
  // By chunk rowid, so that text that neighbouring chunks share is read and decompressed once.
  std::vector<size_t> order(window.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return window[i].candidate.chunk; });
  std::vector<uint32_t> rows;
  for (const size_t i : order) rows.push_back(window[i].candidate.chunk);
  RECALL_ASSIGN(features.components, vectors.Components(rows));
  for (size_t place = 0; place < order.size(); ++place) {
    RerankItem& item = features.items[order[place]];
    item.candidate = window[order[place]].candidate;
    item.vector_scale = features.components.views[place].scale;
    item.vector = features.components.views[place].values;
  }
  RECALL_ASSIGN(std::optional<NgramScorer> scorer, MakeScorer(texts, wanted));
  if (!scorer) return features;
  features.ngram_upper_bound = scorer->score_upper_bound();
  NgramScores scores(rows.size());
  RECALL_TRY(ScoreByWords(texts, *scorer, rows, scores));
  RECALL_TRY(ScoreByTexts(texts, *scorer, rows, threads, scores));
  for (size_t i = 0; i < order.size(); ++i) features.items[order[i]].ngrams = scores[i];
  return features;
}

}  // namespace recall

// Samples queries from the texts of the store, so that a benchmark needs no query log.
//
// A chunk is drawn at random, then a few consecutive content words of it. Consecutive words occur
// together in the store, so queries have matches, as real ones do; random words would mostly be an
// unrealistic mix of topics. Stop words and numbers are skipped.
//
// Sampling is with replacement and repeated texts are dropped. A store may contain the same text
// many times, so the number of draws is bounded by kDrawsPerText for each wanted text.
//
// Invariant: the sequence depends only on the seed and the store. Each chunk consumes a fixed
// number of random values, even if it has too few words, so the words of one chunk do not change
// the choice of the next.

#include "query/measure/bench/sampled_texts.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "index/base/text/segment_analyzer.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "storage/base/split_mix.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

constexpr size_t kFewestWords = 2;
constexpr size_t kMostSampledWords = 5;
// In scripts without spaces a word is cut to about four characters, the length of typical queries.
constexpr size_t kMostUnspacedBytes = 12;
// The maximum number of draws per wanted text, because a store may contain the same text many
// times.
constexpr size_t kDrawsPerText = 8;

uint64_t Below(SplitMix64& random, uint64_t limit) { return random.Next() % limit; }

bool IsDigits(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

Result<std::string> TextOf(const ReadTransaction& transaction, uint32_t row) {
  RECALL_ASSIGN(const ChunkRow chunk, ReadChunk(transaction, row));
  RECALL_ASSIGN(const DocRow doc, ReadDoc(transaction, chunk.doc_row));
  return ReadText(transaction, doc, chunk.start_byte, chunk.end_byte);
}

// Returns: a question made of words of one chunk; "" if it has none.
std::string QuestionOf(std::string_view text, SplitMix64& random) {
  const std::vector<std::string_view> words = SalientWords(text);
  // Always draw both values, so that the words of one chunk do not affect the next chunk.
  const uint64_t wanted = kFewestWords + Below(random, kMostSampledWords - kFewestWords + 1);
  const uint64_t place = random.Next();
  const size_t count = std::min<size_t>(wanted, words.size());
  const size_t first = place % (words.size() - count + 1);
  std::string question;
  for (size_t i = first; i < first + count; ++i) {
    question += (question.empty() ? "" : " ") + std::string(words[i]);
  }
  return question;
}

using MakeText = std::function<std::string(std::string text, SplitMix64& random)>;

Result<std::vector<std::string>> Sample(const ReadTransaction& transaction, const Bitmap& chunks,
                                        size_t most, uint64_t seed, const MakeText& make) {
  const std::vector<uint32_t> rows = chunks.Values();
  std::vector<std::string> texts;
  std::set<std::string> seen;
  SplitMix64 random(seed);
  for (size_t draws = kDrawsPerText * most; draws > 0 && texts.size() < most; --draws) {
    if (rows.empty()) break;
    RECALL_ASSIGN(std::string chunk, TextOf(transaction, rows[Below(random, rows.size())]));
    std::string text = make(std::move(chunk), random);
    if (!text.empty() && seen.insert(text).second) texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace

std::vector<std::string_view> SalientWords(std::string_view text) {
  std::vector<std::string_view> words;
  SegmentAnalyzer analyzer;
  std::string folded;
  for (size_t position = 0;;) {
    std::string_view segment = NextSegment(text, &position);
    if (segment.empty()) return words;
    if (segment.size() > kMaxTokenBytes) {
      segment = segment.substr(0, FloorToCharacter(segment, kMaxTokenBytes));
    }
    analyzer.Analyze(segment);
    if (analyzer.runs().empty()) continue;
    const SegmentAnalyzer::Run& run = analyzer.runs().front();
    folded.clear();
    analyzer.AppendSurface(run, &folded);
    if (folded.size() < 3 || IsDigits(folded) || IsStopWord(folded)) continue;
    const bool spaced = run.kind == CharacterKind::kWord;
    words.push_back(spaced ? segment
                           : segment.substr(0, FloorToCharacter(segment, kMostUnspacedBytes)));
  }
}

Result<std::vector<std::string>> SampleQuestions(const ReadTransaction& transaction,
                                                 const Bitmap& chunks, size_t most, uint64_t seed) {
  return Sample(transaction, chunks, most, seed,
                [](std::string text, SplitMix64& random) { return QuestionOf(text, random); });
}

Result<std::vector<std::string>> SampleChunks(const ReadTransaction& transaction,
                                              const Bitmap& chunks, size_t most, uint64_t seed) {
  return Sample(transaction, chunks, most, seed,
                [](std::string text, SplitMix64&) { return text; });
}

}  // namespace recall

// A direction for words of a question that no text had when the model was trained.
//
// Problem. The model has a row for each word of the texts that it was trained on. A question asks
// in other words, and a small store has few.
//
// Idea. In training, the row of a word is the sum of those of its features, which are its concepts
// and itself (lsa_trainer.cc). A new word has concepts, too. The row of a concept is not stored,
// but that of the words that have it is near it; so the words of the model whose concepts are most
// similar stand for the new one, each with its similarity.
//
// Invariants. Vectors of texts do not depend on the lexicon in the program: they are sums of rows
// of the model. A model that was trained with another lexicon, or without, has no stand-ins.
//
// Cost: a pass over the concepts of the lexicon for each such word, and the rows of the first
// kMostTried similar words at most.

#include "index/embed/lsa/unknown_words.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/base/lexicon/lexicon.h"
#include "index/base/math/natural_log.h"
#include "index/base/text/stop_words.h"
#include "index/embed/lsa/stem_hash.h"
#include "index/embed/lsa/term_frequency.h"

namespace recall {
namespace {

constexpr size_t kMostWords = 64;     // unknown words of a text
constexpr size_t kMostStandIns = 8;   // of one word
constexpr size_t kMostTried = 64;     // similar words that may not be in the model
constexpr double kLeastCosine = 0.1;  // of the concepts

}  // namespace

Result<std::vector<StandIn>> FindStandIns(const LsaModel& model, std::string_view body,
                                          const std::function<Status(uint64_t hash)>& read) {
  std::vector<StandIn> found;
  const Lexicon& lexicon = Lexicon::Builtin();
  if (model.lexicon() != lexicon.hash() || model.documents() == 0) return found;
  std::vector<std::pair<uint32_t, size_t>> unknown;  // numbers in the lexicon, and their counts
  ForEachStem(body, [&](std::string_view stem) {
    if (model.Find(HashStem(stem)) || IsStopStem(stem)) return;
    const std::optional<uint32_t> number = lexicon.Find(stem);
    if (!number) return;
    const auto known = std::ranges::find(unknown, *number, &std::pair<uint32_t, size_t>::first);
    if (known != unknown.end()) {
      ++known->second;
    } else if (unknown.size() < kMostWords) {
      unknown.emplace_back(*number, 1);
    }
  });
  const auto idf = static_cast<float>(NaturalLog(static_cast<double>(model.documents())));
  for (const auto& [number, count] : unknown) {
    size_t taken = 0;
    size_t tried = 0;
    for (const Lexicon::Relative& other : lexicon.SharingConcepts(number)) {
      if (taken == kMostStandIns || tried++ == kMostTried || other.similarity < kLeastCosine) break;
      const uint64_t hash = HashStem(lexicon.stem(other.stem));
      RECALL_TRY(read(hash));
      const std::optional<uint32_t> term = model.Find(hash);
      if (!term) continue;
      const float nearness = kConceptShare * kConceptShare * static_cast<float>(other.similarity);
      found.push_back({*term, TermFrequencyWeight(count) * idf * nearness});
      ++taken;
    }
  }
  return found;
}

}  // namespace recall

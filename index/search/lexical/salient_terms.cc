#include "index/search/lexical/salient_terms.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "index/base/text/stop_words.h"
#include "index/search/lexical/bm25.h"

namespace recall {
namespace {

// Selects the salient terms of a text, which become the synthesised query of `similar` (as in "more
// like this" of Lucene).
//
//   text --ParseLiteralQuery--> clauses with counts
//     without function words
//     the 256 most frequent        bounds the postings that are read
//     df of live chunks, by batches of 32 clauses    bounds the memory
//     by (occurs outside of `own`, count * idf) descending, stable
//     the first `most`, in the order of the text
//
// Idea: count * idf is the tf-idf weight of a term: high if the text repeats it and few other
// chunks contain it. The highest idf belongs to terms that occur only in this text; they cannot
// find another text, so they come last.
//
// Invariants: all orders are stable and start from the order of the text, so ties do not depend on
// the sort. df is exact: it is that of live chunks.
//
// Cost: counting at most 256 clauses, of which 32 are in memory at a time: the headers of the lists
// of common terms, and the postings of all others (clause_counts.cc).

// The number of clauses whose postings are read to select from; few texts of the size of a chunk
// have more.
constexpr size_t kWeighed = 256;
// The number of clauses whose postings are in memory at a time.
constexpr size_t kClauseBatch = 32;

struct Weight {
  bool occurs_elsewhere = false;
  double tf_idf = 0;  // count * idf
};

bool IsFunctionWord(const LexicalClause& clause) { return IsStopWord(clause.text); }

// The indexes of the `count` most frequent clauses of the text, in the text's order.
std::vector<size_t> MostFrequent(const std::vector<LexicalClause>& clauses, size_t count) {
  std::vector<size_t> places(clauses.size());
  std::iota(places.begin(), places.end(), size_t{0});
  if (places.size() <= count) return places;
  std::ranges::stable_sort(places, std::greater<>(), [&](size_t i) { return clauses[i].count; });
  places.resize(count);
  std::ranges::sort(places);
  return places;
}

std::vector<LexicalClause> Chosen(std::vector<LexicalClause>& clauses,
                                  const std::vector<size_t>& places) {
  std::vector<LexicalClause> chosen;
  for (const size_t i : places) chosen.push_back(std::move(clauses[i]));
  return chosen;
}

Result<std::vector<Weight>> Weigh(const TermStatistics& statistics,
                                  const std::vector<LexicalClause>& clauses,
                                  const ChunkFilter& own) {
  std::vector<Weight> weights;
  for (size_t begin = 0; begin < clauses.size(); begin += kClauseBatch) {
    const auto batch =
        std::span(clauses).subspan(begin).first(std::min(kClauseBatch, clauses.size() - begin));
    LexicalQuery query;
    query.clauses.assign(batch.begin(), batch.end());
    RECALL_ASSIGN(const auto counts, statistics.CountMatches(query, own));
    for (size_t i = 0; i < batch.size(); ++i) {
      weights.push_back(
          {counts[i].elsewhere,
           batch[i].count * InverseDocumentFrequency(statistics.chunks(), counts[i].live)});
    }
  }
  return weights;
}

}  // namespace

Result<LexicalQuery> KeepSalientTerms(const TermStatistics& statistics, LexicalQuery query,
                                      size_t most, const Bitmap& removed, const Bitmap& own) {
  std::vector<LexicalClause>& clauses = query.clauses;
  std::erase_if(clauses, IsFunctionWord);
  clauses = Chosen(clauses, MostFrequent(clauses, kWeighed));
  RECALL_ASSIGN(const std::vector<Weight> weights, Weigh(statistics, clauses, {&own, &removed}));
  std::vector<size_t> order(clauses.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    if (weights[a].occurs_elsewhere != weights[b].occurs_elsewhere) {
      return weights[a].occurs_elsewhere;
    }
    return weights[a].tf_idf > weights[b].tf_idf;
  });
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);

  LexicalQuery salient;
  salient.tokenizer_version = query.tokenizer_version;
  salient.clauses = Chosen(clauses, order);
  for (const LexicalClause& clause : salient.clauses) {
    salient.wanted += (salient.wanted.empty() ? "" : " ") + clause.text;
  }
  return salient;
}

}  // namespace recall

#include "index/lexical/salient_terms.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "index/lexical/bm25.h"
#include "index/text/stop_words.h"

namespace recall {
namespace {

// Postings of so many clauses are read to choose from; few texts of a chunk's size have more.
constexpr size_t kWeighed = 256;
// Clauses whose postings are in memory at a time.
constexpr size_t kClauseBatch = 32;

struct Weight {
  bool occurs_elsewhere = false;
  double tells = 0;  // count * idf
};

bool IsFunctionWord(const LexicalClause& clause) { return IsStopWord(clause.text); }

// The places of the `count` clauses that stand in the text most often, in the text's order.
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
          {counts[i].live > counts[i].passing,
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
    return weights[a].tells > weights[b].tells;
  });
  order.resize(std::min(order.size(), most));
  std::ranges::sort(order);

  LexicalQuery salient;
  salient.clauses = Chosen(clauses, order);
  for (const LexicalClause& clause : salient.clauses) {
    salient.wanted += (salient.wanted.empty() ? "" : " ") + clause.text;
  }
  return salient;
}

}  // namespace recall

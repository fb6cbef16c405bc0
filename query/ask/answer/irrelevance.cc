// Says whether the store possibly answers nothing.
//
// Problem. A ranking always has a best result, however little it has to do with the question.
//
// Idea. A score is the share of the possible evidence that a chunk provides (docs/RETRIEVAL.md,
// "What scores mean"), words of the question that no text has included. It therefore needs no
// statistics of the store, and falls only with the length of the question: who asks in more words
// uses more that the text does not have. With the least score s for up to five words,
//
//   least(n) = s * sqrt(5 / max(n, 5))
//
// 19 of 20 best scores of answered questions are above it, in stores of 9, 300 and 30,000
// documents. In a store of a few texts, the words that all of them have weigh nothing; a best chunk
// with two thirds of the words, or all but one, therefore counts as relevant with any score.
// Decision docs/decisions/0067 has the figures, and those of a threshold of the share of the idf.
//
// Cost: where the score is low, one text.

#include "query/ask/answer/irrelevance.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "query/ask/passages/snippet.h"

namespace recall {
namespace {

constexpr double kLeastScore = 0.37;
constexpr double kLeastScoreByWords = 0.35;
constexpr double kFewWords = 5;

// The words that the question asks for, without those that stand for others.
size_t CountWanted(const LexicalQuery& query) {
  return static_cast<size_t>(std::ranges::count_if(query.clauses, [](const LexicalClause& clause) {
    return clause.occur != LexicalClause::Occur::kMustNot && !clause.stands_for;
  }));
}

}  // namespace

double LeastRelevantScore(size_t terms, bool by_words) {
  const double least = by_words ? kLeastScoreByWords : kLeastScore;
  return least * std::sqrt(kFewWords / std::max(static_cast<double>(terms), kFewWords));
}

Status ReportIrrelevance(const Ranking& ranking, RowReader& rows, AnswerFacts& facts) {
  const RetrievalPlan& plan = *ranking.fused().plan;
  const bool comparable =
      plan.lexical && plan.fusion == FusionMethod::kDefault && !plan.has_operators();
  const size_t wanted = CountWanted(plan.query);
  if (!comparable || wanted == 0 || ranking.total_hits() == 0) return Status::Ok();
  RECALL_ASSIGN(const std::vector<ScoredChunk> best, ranking.fused().Best(1));
  const double least = LeastRelevantScore(wanted, !plan.hybrid());
  if (best.empty() || best.front().score >= least) return Status::Ok();
  RECALL_ASSIGN(const RowReader::Located row, rows.Read(best.front().candidate.chunk));
  // A document without text was found by its name, which says what it is.
  if (row.chunk.start_byte == row.chunk.end_byte) return Status::Ok();
  RECALL_ASSIGN(const std::string text,
                rows.texts().ReadText(*row.doc, row.chunk.start_byte, row.chunk.end_byte));
  const size_t matched = SnippetCutter(plan.query, 0).MatchedTerms(text).size();
  if (matched + 1 >= wanted || 3 * matched >= 2 * wanted) return Status::Ok();
  char warning[64];
  std::snprintf(warning, sizeof(warning), "possibly nothing relevant: all scores are below %.2f",
                least);
  facts.warnings.emplace_back(warning);
  return Status::Ok();
}

}  // namespace recall

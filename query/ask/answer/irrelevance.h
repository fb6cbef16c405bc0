#pragma once

#include <cstddef>

#include "query/ask/retrieval/ranking.h"
#include "query/ask/rows/views.h"
#include "query/types/answer_facts.h"

namespace recall {

// The score that the best result of a question of `terms` words reaches if the store answers it, in
// 19 of 20 cases. `by_words`: no vectors are compared.
double LeastRelevantScore(size_t terms, bool by_words);

// Adds a warning if the best result says that possibly nothing is relevant. Nothing is said if
// nothing was found, and where scores are not comparable: without words, with +must or -not
// clauses, and with another fusion than the default. Stages, minimum score and page change nothing.
// Errors: those of FusedRanking::Best; Corruption.
Status ReportIrrelevance(const Ranking& ranking, RowReader& rows, AnswerFacts& facts);

}  // namespace recall

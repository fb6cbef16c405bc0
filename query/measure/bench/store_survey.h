#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// What is known of a store before it is measured.
struct StoreSurvey {
  StoreSummary store;
  std::string embedder;
  std::vector<std::string> questions;  // sampled, as many as the request wants, or none
  std::vector<std::string> chunks;     // whole ones, likewise
};

// Reads the store in a child process. Texts are sampled of what the request's filter chooses:
// questions unless it has a file of them, chunks where recall is to be measured.
// Errors: those of Database::Open and of the filter; NotFound where texts are to be sampled and
// there are none.
Result<StoreSurvey> SurveyStore(const BenchRequest& request, bool with_questions,
                                const std::atomic<bool>& cancel);

}  // namespace recall

#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// Facts about a store, collected before the measurements.
struct StoreSurvey {
  StoreSummary store;
  std::string embedder;
  std::vector<std::string> questions;  // sampled questions, as many as requested, or none
  std::vector<std::string> chunks;     // sampled texts of whole chunks, likewise
};

// Reads the store in a child process. Texts are sampled from the chunks that satisfy the filter of
// the request: questions unless it has a question file, chunks if recall is measured.
// Errors: those of Database::Open and of the filter; NotFound if texts must be sampled and none
// exist.
Result<StoreSurvey> SurveyStore(const BenchRequest& request, bool with_questions,
                                const std::atomic<bool>& cancel);

}  // namespace recall

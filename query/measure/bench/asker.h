#pragma once

#include <memory>
#include <string>
#include <vector>

#include "query/database.h"
#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// What a benchmark asks, and how.
struct Questions {
  std::vector<std::string> texts;
  std::vector<std::string> rql;  // of a file; empty: made of the texts

  const std::vector<std::string>& Of(BenchKind kind) const {
    return kind == BenchKind::kQuery && !rql.empty() ? rql : texts;
  }
};

// Asks one store questions of one kind. One per thread.
class Asker final {
 public:
  // Opens the store. The questions and the request must outlive it.
  static Result<std::unique_ptr<Asker>> Open(const BenchRequest& request,
                                             const Questions& questions, BenchKind kind);

  size_t size() const { return asked_.size(); }
  // Asks question `i` and returns how many hits, rows or pieces it has.
  // Errors: those of asking, which say which question it was.
  Result<int64_t> Ask(size_t i);

 private:
  Asker(const BenchRequest& request, const Questions& questions, BenchKind kind)
      : request_(request), kind_(kind), asked_(questions.Of(kind)) {}

  Status MakeQueries(const Questions& questions);
  Result<int64_t> AskOnce(size_t i);

  const BenchRequest& request_;
  const BenchKind kind_;
  const std::vector<std::string>& asked_;
  std::vector<std::string> queries_;  // RQL, where that is asked
  bool made_ = false;                 // ... of the texts, so that all of it is ranked
  std::unique_ptr<Database> database_;
};

}  // namespace recall

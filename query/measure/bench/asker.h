#pragma once

#include <memory>
#include <string>
#include <vector>

#include "query/database/database.h"
#include "query/measure/bench/bench_types.h"
#include "storage/base/result.h"

namespace recall {

// The queries of a benchmark.
struct Questions {
  std::vector<std::string> texts;
  std::vector<std::string> rql;  // RQL queries of a file; empty: they are made from the texts

  const std::vector<std::string>& Of(BenchKind kind) const {
    return kind == BenchKind::kQuery && !rql.empty() ? rql : texts;
  }
};

// Runs queries of one kind on one store. Not thread-safe: each thread needs its own.
class Asker final {
 public:
  // Opens the store. The questions and the request must outlive the object.
  static Result<std::unique_ptr<Asker>> Open(const BenchRequest& request,
                                             const Questions& questions, BenchKind kind);

  size_t size() const { return asked_.size(); }
  // Runs query `i`. Returns: its number of hits, rows or pieces. Errors: those of the query, with
  // its text.
  Result<int64_t> Ask(size_t i);

 private:
  Asker(const BenchRequest& request, const Questions& questions, BenchKind kind)
      : request_(request), kind_(kind), asked_(questions.Of(kind)) {}

  Status MakeQueries(const Questions& questions);
  Result<int64_t> AskOnce(size_t i);

  const BenchRequest& request_;
  const BenchKind kind_;
  const std::vector<std::string>& asked_;
  std::vector<std::string> queries_;  // RQL queries, for the kind kQuery
  bool made_ = false;  // queries_ were made from the texts, so all of them are ranked
  std::unique_ptr<Database> database_;
};

}  // namespace recall

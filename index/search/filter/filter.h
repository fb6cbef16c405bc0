#pragma once

// Evaluates a filter to the set of chunks (or documents) that satisfy it.

#include <memory>
#include <string>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/filter/filter_expr.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// The kind of the result. A document satisfies a filter on chunk fields if one of its chunks does;
// a document without chunks has NULL for chunk fields.
enum class FilterDomain { kChunks, kDocs };

// One evaluated predicate, for explain.
struct FilterStep {
  std::string predicate;  // "doc.tag = 'a'"
  std::string method;     // "index on tag", "scan of paths", "scan of chunk texts", ...
  uint64_t matches = 0;   // matching chunks (or documents) among the remaining ones
  int64_t micros = 0;
};

// The live rows that may be told of.
struct VisibleRows {
  const Bitmap& docs;
  const Bitmap& chunks;
};

struct FilterOutcome {
  // Chunk rowids of live documents, or rows of live documents (doc.id).
  Bitmap set;
  std::vector<FilterStep> steps;  // in order of evaluation
  std::vector<std::string> warnings;
};

struct FilterNode;

// A compiled filter: names are resolved, literals are converted to the types of the fields,
// patterns are compiled, NOT is pushed down to the predicates, and the cheap predicates of an AND
// come first. Immutable, thread-safe, independent of any store.
class CompiledFilter final {
 public:
  // Relative dates ("-7d", "today") are relative to `now`.
  static tl::expected<CompiledFilter, FilterError> Compile(const FilterExpr& expr, UnixNanos now);
  CompiledFilter(CompiledFilter&&) noexcept;
  CompiledFilter& operator=(CompiledFilter&&) noexcept;
  ~CompiledFilter();

  // Whether any predicate is relative to `now`, so that the answer depends on the clock.
  bool depends_on_now() const;
  // Warnings about probable mistakes ("a date alone is its first instant").
  const std::vector<std::string>& warnings() const;

  // Computes the set of live chunks (documents) that satisfy the filter. `visible`: the others do
  // not exist, nor do links to them; null: all are visible. Errors: Corruption for damaged rows,
  // LimitExceeded if document rows exceed 32 bits.
  Result<FilterOutcome> Evaluate(const ReadTransaction& transaction, FilterDomain domain,
                                 const VisibleRows* visible = nullptr) const;

 private:
  explicit CompiledFilter(std::unique_ptr<FilterNode> root);
  std::unique_ptr<FilterNode> root_;
  std::vector<std::string> warnings_;
  bool depends_on_now_ = false;
};

}  // namespace recall

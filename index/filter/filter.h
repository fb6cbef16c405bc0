#pragma once

// From a filter to the set of chunks (or documents) that satisfy it.

#include <memory>
#include <string>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/filter/filter_expr.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// What a filter is evaluated to. A document satisfies a filter on chunk fields when one of its
// chunks does; a document without chunks has NULL for chunk fields.
enum class FilterDomain { kChunks, kDocs };

// One predicate as it was carried out, for explain.
struct FilterStep {
  std::string predicate;  // "doc.tag = 'a'"
  std::string method;     // "index on tag", "scan of paths", "scan of chunk texts", ...
  uint64_t matches = 0;   // chunks (or documents) found, within what was already excluded
  int64_t micros = 0;
};

struct FilterOutcome {
  // Chunk rowids of live documents, or rows of live documents (doc.id).
  Bitmap set;
  std::vector<FilterStep> steps;  // in the order carried out
  std::vector<std::string> warnings;
};

struct FilterNode;

// A filter made ready to run: names resolved, literals read as the fields' types, patterns
// compiled, NOT pushed down to the predicates, the cheap predicates of an AND first. Immutable,
// thread-safe, independent of any store.
class CompiledFilter final {
 public:
  // `now` is what relative dates ("-7d", "today") count from.
  static tl::expected<CompiledFilter, FilterError> Compile(const FilterExpr& expr, UnixNanos now);
  CompiledFilter(CompiledFilter&&) noexcept;
  CompiledFilter& operator=(CompiledFilter&&) noexcept;
  ~CompiledFilter();

  // Whether any predicate is relative to `now`, so that the answer depends on the clock.
  bool depends_on_now() const;
  // What the author may not have meant ("a date alone is its first instant").
  const std::vector<std::string>& warnings() const;

  // Exactly the live chunks (documents) that satisfy the filter. Corruption when the store's rows
  // are damaged, LimitExceeded when document rows exceed 32 bits.
  Result<FilterOutcome> Evaluate(const ReadTransaction& transaction, FilterDomain domain) const;

 private:
  explicit CompiledFilter(std::unique_ptr<FilterNode> root);
  std::unique_ptr<FilterNode> root_;
  std::vector<std::string> warnings_;
  bool depends_on_now_ = false;
};

}  // namespace recall

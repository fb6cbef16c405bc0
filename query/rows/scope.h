#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/filter/filter.h"
#include "index/interface/filter_sets.h"
#include "query/types/search_types.h"
#include "storage/store/store.h"

namespace recall {

// A read transaction of the commit that a snapshot names; of the present one when it names none or
// is a time, which is a filter and not a commit. Errors: as Store::BeginReadAt.
Result<std::unique_ptr<ReadTransaction>> BeginSnapshot(Store& store, const std::string& snapshot);

// A Scope's filter and snapshot as one set, found before anything is ranked.
struct ResolvedScope {
  std::optional<Bitmap> set;  // unset: everything
  std::string filter;         // canonical text of what the user wrote, "" when nothing
  std::optional<UnixNanos> as_of;
  std::optional<FilterExplain> explain;
  std::vector<std::string> warnings;

  const Bitmap* allowed() const { return set ? &*set : nullptr; }
};

// A filter where it came from, so that errors can point into it.
struct FilterSource {
  std::optional<FilterExpr> expr;  // none: everything
  std::string_view text;           // what the positions in `expr` count in
};

// `commit_token` is what StoreSummary::snapshot says of this transaction.
// Errors: InvalidArgument with a position for what is wrong with the filter, InvalidArgument for a
// snapshot that is neither a time nor a token, NotFound for a commit that is not the transaction's.
Result<ResolvedScope> ResolveFilter(const FilterSets& sets, FilterSource filter,
                                    const std::string& snapshot, std::optional<UnixNanos> as_of,
                                    const std::string& commit_token, FilterDomain domain);

// The same from the filter's text.
Result<ResolvedScope> ResolveScope(const FilterSets& sets, const Scope& scope,
                                   const std::string& commit_token, FilterDomain domain);

}  // namespace recall

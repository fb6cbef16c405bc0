#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/filter/filter.h"
#include "index/search/snapshot/filter_sets.h"
#include "query/types/document_scope.h"
#include "query/types/explanations.h"
#include "storage/store/store.h"

namespace recall {

// Begins a read transaction of the commit that the token `snapshot` names; of the newest commit if
// `snapshot` is empty or not a token of this store. Times are handled by ResolveFilter. Errors: as
// Store::BeginReadAt.
Result<std::unique_ptr<ReadTransaction>> BeginSnapshot(Store& store, const std::string& snapshot);

// The filter and the snapshot time of a Scope, evaluated to a set before anything is ranked.
struct ResolvedScope {
  std::optional<Bitmap> set;  // the chunks or documents that satisfy both; unset: all
  std::string filter;         // canonical text of the user's filter; "" without one
  std::optional<UnixNanos> as_of;
  std::optional<FilterExplain> explain;
  std::vector<std::string> warnings;

  const Bitmap* allowed() const { return set ? &*set : nullptr; }
};

// A filter and the text that it was parsed from, to which the positions of errors refer.
struct FilterSource {
  std::optional<FilterExpr> expr;  // unset: no filter
  std::string_view text;           // the positions in `expr` are byte offsets in this text
};

// Evaluates a filter. `snapshot` is that of the request; `commit_token` is the token of the commit
// that is read. Errors: InvalidArgument, with a position, for an invalid filter; InvalidArgument
// for a snapshot that is neither a time nor a token of this store; NotFound for the token of
// another commit.
Result<ResolvedScope> ResolveFilter(const FilterSets& sets, FilterSource filter,
                                    const std::string& snapshot, std::optional<UnixNanos> as_of,
                                    const std::string& commit_token, FilterDomain domain);

// Parses the filter of `scope` and evaluates it as ResolveFilter does.
Result<ResolvedScope> ResolveScope(const FilterSets& sets, const Scope& scope,
                                   const std::string& commit_token, FilterDomain domain);

}  // namespace recall

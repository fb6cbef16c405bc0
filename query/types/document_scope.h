#pragma once

// The documents that a request applies to.

#include <optional>
#include <string>

#include "storage/base/clock.h"

namespace recall {

// The documents that a query applies to. Filters are exact and apply inside both retrievers.
struct Scope {
  std::string filter;  // a filter expression (docs/rql.md); empty: all documents
  // An RFC 3339 time: only documents with an mtime up to it. Or the token of a commit from
  // StoreSummary::snapshot: the store in the state of this commit; Expired if compaction has
  // deleted it. Empty: the newest commit.
  std::string snapshot;
  // Reference time for relative dates in filters ("-7d", "today"); unset: the current time.
  std::optional<UnixNanos> as_of;
};

}  // namespace recall

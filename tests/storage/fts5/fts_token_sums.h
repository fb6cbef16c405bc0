#pragma once

// The contents of a full-text index, for comparisons: number and hash sum of the tokens of each row
// for each term.

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "storage/fts5/fts_audit.h"
#include "storage/fts5/fts_instance_hash.h"
#include "storage/fts5/fts_vocabulary.h"

namespace recall {

using FtsTokenSums = std::map<std::pair<std::string, int64_t>, std::pair<uint64_t, uint64_t>>;

// By AuditFts. Returns and requires the same.
inline Result<bool> ReadByAudit(Connection& connection, FtsTokenSums* sums) {
  return AuditFts(connection, [&](std::string_view term, std::span<const FtsRowTokens> rows) {
    for (const FtsRowTokens& row : rows) {
      auto& [tokens, sum] = (*sums)[{std::string(term), row.row}];
      tokens += row.tokens;
      sum += row.sum;
    }
    return Status::Ok();
  });
}

// By FTS5's virtual table of instances.
inline Result<FtsTokenSums> ReadByFts5(Connection& connection) {
  FtsTokenSums sums;
  RECALL_TRY(ScanFtsInstances(connection, [&](const FtsInstance& instance) {
    auto& [tokens, sum] = sums[{std::string(instance.term), instance.row}];
    tokens += 1;
    sum += FtsInstanceHash(FtsTermHash(instance.term), instance.compound,
                           static_cast<uint64_t>(instance.offset));
    return Status::Ok();
  }));
  return sums;
}

}  // namespace recall

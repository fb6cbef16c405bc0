#pragma once

#include <map>
#include <string>
#include <utility>

#include "index/search/snapshot/texts_and_facts.h"
#include "query/types/add_types.h"
#include "query/types/source_check.h"
#include "query/types/store_types.h"
#include "storage/base/result.h"

namespace recall {

struct SourceCandidate;

// What brings stale documents up to date with their files.
struct RefreshPlan {
  std::map<std::string, AddRequest> adds;  // by what documents of one request have in common
  RemoveRequest remove;
};

// Collects the plan for documents of one snapshot. The arguments must outlive it. Not thread-safe.
class RefreshPlanner final {
 public:
  // `like`: how files are read; without paths.
  RefreshPlanner(const TextsAndFacts& texts, const std::string& store_root, const AddRequest& like)
      : texts_(texts), store_root_(store_root), like_(like) {}

  // Plans for a document with this state; nothing for a current one. Errors: those of reading the
  // store.
  Status Add(const DocRow& doc, SourceState state);

  RefreshPlan Take() { return std::move(plan_); }

 private:
  Status AddAgain(const DocRow& doc, const SourceCandidate& file, const std::string& prefix);

  const TextsAndFacts& texts_;
  const std::string& store_root_;
  const AddRequest& like_;
  RefreshPlan plan_;
};

}  // namespace recall

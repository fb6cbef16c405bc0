#pragma once

#include <map>
#include <string>
#include <utility>

#include "index/search/snapshot/texts_and_facts.h"
#include "query/types/add_types.h"
#include "query/types/refresh_types.h"
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
  RefreshPlanner(const TextsAndFacts& texts, const std::string& store_root,
                 const RefreshRequest& request)
      : texts_(texts), store_root_(store_root), request_(request) {}

  // Plans for a document with this state; nothing for a current one. Errors: those of reading the
  // store.
  Status Add(const DocRow& doc, SourceState state);
  // Plans to add a file that has no document, named, labelled and read as `doc`, which is that of
  // another file, or was removed. `file`: its path, and from which root.
  Status AddNew(const DocRow& doc, const SourceCandidate& file);

  // Each path of the requests is there once, sorted.
  RefreshPlan Take();

 private:
  Status AddAs(const DocRow& doc, const SourceCandidate& file, bool is_new);

  const TextsAndFacts& texts_;
  const std::string& store_root_;
  const RefreshRequest& request_;
  RefreshPlan plan_;
};

}  // namespace recall

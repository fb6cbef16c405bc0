#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>

#include "index/search/snapshot/filter_sets.h"
#include "query/memory/git/repository.h"
#include "query/types/sharing_types.h"
#include "storage/notes/shared_notes.h"
#include "storage/store/store.h"

namespace recall {

// What is pushed. `filters`: of the commit of the transaction; `snapshot`: its token; `root`: the
// directory of the store.
struct PushSource {
  const ReadTransaction& transaction;
  const FilterSets& filters;
  const std::string& snapshot;
  const std::string& root;
};

struct PlannedPush {
  GitRepository repository = {};
  std::string local_tip;                         // the commit of the branch here; "": none
  std::string base;                              // the commit that the file is taken from; "": none
  std::string body = {};                         // the new file
  size_t body_without_notes = 0;                 // its size without the new frames of notes
  int64_t first_size = 0;                        // of the file that it goes on from; 0: of none
  bool differs = false;                          // from the file of `base`
  std::map<std::string, SharedNote> known = {};  // to be recorded
  PushReport report = {};
};
// The bytes of the branch, of which nothing is written yet.
Result<PlannedPush> PlanPush(const PushSource& source, const std::atomic<bool>& cancelled,
                             const PushRequest& request);

// Implements Database::Push. `plan` calls PlanPush; when it returns, no transaction is open.
// Records in the store which versions of notes it has written, then writes the branch and pushes
// it. If the store cannot be written, the notes are left out, with a warning. With `dry_run` only
// reports.
Result<PushReport> RunPush(Store& store, const std::string& root,
                           const std::atomic<bool>& cancelled, const PushRequest& request,
                           const std::function<Result<PlannedPush>()>& plan);

}  // namespace recall

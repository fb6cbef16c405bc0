#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/source/secrets/redactor.h"
#include "query/memory/git/repository.h"
#include "query/memory/sharing/note_versions.h"
#include "query/types/sharing_types.h"
#include "storage/store/store.h"

namespace recall {

// What a push of notes reads. All must outlive the call.
struct NotePushInput {
  const ReadTransaction& transaction;
  const Bitmap* wanted;  // rows of documents; null: all
  const GitRepository& repository;
  const std::string& root;  // absolute: the directory of the store
  const Redactor& redactor;
  const PushRequest& request;
  const BranchNotes& histories;  // of the branch
  const std::atomic<bool>& cancelled;
};

struct PlannedNotes {
  std::vector<std::string> frames;          // lines to be appended, for one frame each
  std::map<std::string, SharedNote> known;  // what the store then knows, of notes that change
  PushedNotes counts;
  std::map<std::string, int64_t> redacted;
  std::vector<std::string> warnings;
};

// The notes that the branch lacks, and the removals. With a filter there are no removals, because
// what was removed satisfies none. Errors: Cancelled, IoError of git, and those of the store.
Result<PlannedNotes> PlanNotes(const NotePushInput& input);

}  // namespace recall

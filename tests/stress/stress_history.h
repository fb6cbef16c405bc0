#pragma once

// The history of operations on a store under stress, and the documents after each step. Both follow
// from a seed, so any process can determine from a store which steps were applied, and whether each
// was applied completely.

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "query/database/database.h"
#include "storage/store/store.h"

namespace recall {

enum class StressAction {
  kEdit,           // writes some documents, in one commit
  kRemove,         // removes one document
  kPurge,          // removes one document and purges it
  kCompact,        // drops all snapshots; no document changes
  kCompactNothing  // keeps all snapshots
};

struct StressStep {
  int64_t number = 0;  // from 1
  StressAction action = StressAction::kEdit;
  std::vector<std::string> paths;  // the documents that it writes or removes
};

// The documents: path -> number of the step that wrote it.
using StressDocuments = std::map<std::string, int64_t>;

class StressHistory final {
 public:
  // The history of the documents below `folder`. Histories of different folders are independent.
  explicit StressHistory(uint64_t seed, std::string folder = "docs")
      : seed_(seed), folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }

  // The number of steps so far, and the documents after them.
  int64_t position() const { return position_; }
  const StressDocuments& documents() const { return documents_; }

  StressStep Next() const;
  // Computes the documents after the next step; no store is changed.
  void Advance();
  void AdvanceTo(int64_t position);

  // The text of the document after step `step`. Its first line contains the path and the step.
  std::string TextOf(const std::string& path, int64_t step) const;

 private:
  uint64_t seed_;
  std::string folder_;
  int64_t position_ = 0;
  StressDocuments documents_;
};

// Applies the step to the store. The files are below the directory of the store. With `split`, each
// document is a commit of its own, which violates the rule that a step is one commit.
Status TakeStep(Database& database, const StressHistory& history, const StressStep& step,
                const std::string& directory, bool split = false);

// The documents of the history's folder in one transaction. Errors: Corruption if a text is not
// exactly one that the history wrote.
Result<StressDocuments> ReadDocuments(const ReadTransaction& transaction,
                                      const StressHistory& history);

// Reads the documents and advances the history to the step that wrote them. Errors: Corruption if
// no present or later step matches: then a step was lost or is incomplete.
Status FollowStore(const ReadTransaction& transaction, StressHistory& history);

// Small vectors, chunks and segments, so that few documents fill, merge and purge many segments.
Status CreateStressStore(const std::string& path, const std::string& journal);
OpenOptions StressOptions();

}  // namespace recall

#pragma once

// What is done to a store under stress, and what the store holds after each step. All of it follows
// from a seed, so that whoever looks at a store, in whatever process, can tell which steps it has
// seen, and that it has seen each of them wholly or not at all.

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "query/database.h"
#include "storage/store/store.h"

namespace recall {

enum class StressAction {
  kEdit,           // writes some documents, in one commit
  kRemove,         // removes one
  kPurge,          // removes one and deletes it for good
  kCompact,        // gives up all snapshots; no document changes
  kCompactNothing  // keeps them
};

struct StressStep {
  int64_t number = 0;  // from 1
  StressAction action = StressAction::kEdit;
  std::vector<std::string> paths;  // what it writes or removes
};

// The documents: path -> the number of the step that wrote it.
using StressDocuments = std::map<std::string, int64_t>;

class StressHistory final {
 public:
  // The history of the documents below `folder`; others of the same seed do not touch them.
  explicit StressHistory(uint64_t seed, std::string folder = "docs")
      : seed_(seed), folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }

  // After how many steps, and the documents then.
  int64_t position() const { return position_; }
  const StressDocuments& documents() const { return documents_; }

  StressStep Next() const;
  // Takes the next step, in the mind only.
  void Advance();
  void AdvanceTo(int64_t position);

  // The text that step `step` gives to the document; its first line says both.
  std::string TextOf(const std::string& path, int64_t step) const;

 private:
  uint64_t seed_;
  std::string folder_;
  int64_t position_ = 0;
  StressDocuments documents_;
};

// Takes the step for real. The files lie below the directory of the store. With `split`, breaks the
// rule that a step is one commit.
Status TakeStep(Database& database, const StressHistory& history, const StressStep& step,
                const std::string& directory, bool split = false);

// The documents of the history's folder in one transaction. Corruption when a text is not one that
// the history wrote, byte for byte.
Result<StressDocuments> ReadDocuments(const ReadTransaction& transaction,
                                      const StressHistory& history);

// Reads them and goes on to the step that left them so. Corruption when no step from the present
// one on does: then something was lost, or is there in part.
Status FollowStore(const ReadTransaction& transaction, StressHistory& history);

// Small vectors, chunks and segments, so that few documents fill, merge and purge many segments.
Status CreateStressStore(const std::string& path, const std::string& journal);
OpenOptions StressOptions();

}  // namespace recall

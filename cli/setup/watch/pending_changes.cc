#include "cli/setup/watch/pending_changes.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "cli/setup/watch/watched_paths.h"

namespace recall {

void PendingChanges::Note(std::string path, int64_t now) {
  Touch(now);
  if (!everything_) paths_.insert(std::move(path));
}

void PendingChanges::NoteEverything(int64_t now) {
  Touch(now);
  everything_ = true;
  paths_.clear();
}

void PendingChanges::Touch(int64_t now) {
  if (!everything_ && paths_.empty()) first_micros_ = now;
  last_micros_ = now;
}

std::optional<int64_t> PendingChanges::due() const {
  if (!everything_ && paths_.empty()) return std::nullopt;
  const int64_t due =
      std::min(last_micros_ + timing_.quiet_micros, first_micros_ + timing_.most_micros);
  return std::max(due, held_until_.value_or(due));
}

PendingChanges::Batch PendingChanges::Take() {
  Batch batch;
  batch.everything = std::exchange(everything_, false);
  held_until_.reset();
  // A directory sorts before what is below it.
  for (const std::string& path : std::exchange(paths_, {})) {
    if (!batch.Covers(path)) batch.paths.push_back(path);
  }
  return batch;
}

bool PendingChanges::Batch::Covers(std::string_view path) const {
  if (everything) return true;
  for (;;) {
    if (std::ranges::binary_search(paths, path, std::less<>())) return true;
    if (path == "/") return false;
    path = path.substr(0, std::max<size_t>(path.rfind('/'), 1));
  }
}

}  // namespace recall

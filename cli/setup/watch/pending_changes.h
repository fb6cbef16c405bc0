#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The changed paths that wait to be added. Many events, such as those of saving one file, become
// one path, and many paths one batch: it is due when nothing has changed for a moment, but not
// later than a limit, so that a file that is always written to does not hold back the others. Times
// are those of SteadyMicros. Not thread-safe.
class PendingChanges final {
 public:
  struct Timing {
    int64_t quiet_micros = 200'000;   // without a change
    int64_t most_micros = 2'000'000;  // since the first change
  };
  explicit PendingChanges(const Timing& timing) : timing_(timing) {}

  void Note(std::string path, int64_t now);
  // Anything may have changed.
  void NoteEverything(int64_t now);
  // No batch is due before this time: the last one failed.
  void HoldUntil(int64_t time) { held_until_ = time; }

  // When the next batch is due; nothing if there is nothing to do.
  std::optional<int64_t> due() const;

  struct Batch {
    bool everything = false;
    std::vector<std::string> paths;  // sorted, none below another one

    // Whether the add of this batch examines a path.
    bool Covers(std::string_view path) const;
  };
  // The changes so far, which are no longer pending.
  Batch Take();

 private:
  void Touch(int64_t now);

  Timing timing_;
  bool everything_ = false;
  std::set<std::string> paths_;
  int64_t first_micros_ = 0;
  int64_t last_micros_ = 0;
  std::optional<int64_t> held_until_;
};

}  // namespace recall

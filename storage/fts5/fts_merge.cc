#include "storage/fts5/fts_merge.h"

#include <algorithm>
#include <vector>

#include "storage/fts5/fts_structure.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Bounded merges of FTS5's runs.
//
// Problem. FTS5 merges sixteen runs of a level by their number, whatever their sizes. A batch of an
// ingest is a run of nine megabytes, a note one of some kilobytes. So the note that was the
// sixteenth run of its level merged the index of the whole store, in its commit, while all other
// writers waited.
//
// Idea. A run belongs to the level of its size, so that a level has runs of similar sizes and small
// ones are merged with small ones. And a commit merges in proportion to what it writes: FTS5
// interrupts a merge after a number of leaves and continues it when it is asked again.
//
//   level 0  < 64 leaves      n n n n n         notes, newest last
//   level 1  < 1,024          A
//   level 2  < 16,384         B B B B B B B     batches of an ingest
//
// Runs are put on their levels when they are added (LiftFtsRuns).
//
// Cost. Each leaf is merged once for each level, of which there are log16 of the number of runs, as
// before. Eight leaves of merging for each one that is written are more than these levels need, so
// merges end before their levels fill again, and a level has some thirty runs at most.

constexpr int64_t kFull = 16;  // runs of a level
constexpr int64_t kLeavesPerLeaf = 8;
constexpr int64_t kFewestLeaves = 128;
constexpr int64_t kSmallMerge = 2048;

// The level that FTS5 merges next (fts5_index.c, fts5IndexMerge), or the end.
std::vector<FtsLevel>::const_iterator NextToMerge(const std::vector<FtsLevel>& levels) {
  auto best = levels.end();
  int64_t most = 0;
  for (auto level = levels.begin(); level != levels.end(); ++level) {
    const int64_t runs = level->merging > 0 ? level->merging : std::ssize(level->runs);
    if (runs > most) {
      best = level;
      most = runs;
    }
    if (level->merging > 0) break;
  }
  return best != levels.end() && (best->merging > 0 || most >= kFull) ? best : levels.end();
}

// Runs FTS5's 'merge' command for about `leaves` leaves. FTS5 continues a merge in progress;
// otherwise it merges the level with the most runs if these are at least `fewest`. A negative
// number of leaves merges all runs. The setting `usermerge` is persistent, so it is reset
// afterwards. Returns whether there was anything to merge: the command itself counts as one change,
// so a merge shows as two or more.
Result<bool> MergeByFts(Connection& connection, int64_t leaves, int64_t fewest) {
  constexpr int64_t kDefaultFewest = 4;
  const auto send = [&](const char* command, int64_t value) -> Status {
    RECALL_ASSIGN(Statement * insert,
                  connection.Cached("INSERT INTO lexicon(lexicon, rank) VALUES(?1, ?2)"));
    insert->BindText(1, command);
    insert->BindInt(2, value);
    return insert->Run();
  };
  RECALL_TRY(send("usermerge", fewest));
  const int64_t before = connection.TotalChanges();
  RECALL_TRY(send("merge", leaves));
  const bool changed = connection.TotalChanges() - before >= 2;
  RECALL_TRY(send("usermerge", kDefaultFewest));
  return changed;
}

}  // namespace

Status MergeFtsInProportion(Connection& connection, int64_t written) {
  if (!connection.features().fts_format) return Status::Ok();
  RECALL_ASSIGN(const std::vector<FtsLevel> levels, ReadFtsLevels(connection));
  const auto next = NextToMerge(levels);
  if (next == levels.end()) return Status::Ok();
  if (written < kFtsLevel0Leaves && next->leaves() > kSmallMerge) return Status::Ok();
  const int64_t leaves = std::max(kFewestLeaves, kLeavesPerLeaf * written);
  return internal::ToStatus(MergeByFts(connection, leaves, kFull));
}

Result<bool> MergeFts(Connection& connection, bool first) {
  constexpr int64_t kLeaves = 2000;
  // A concurrent ingest adds runs between the steps of a merge. FTS5 prefers a level with more runs
  // than the merge has, and stops if these are fewer than `usermerge`; a minimum of two keeps it
  // merging.
  constexpr int64_t kFewestRuns = 2;
  RECALL_ASSIGN(const bool more, MergeByFts(connection, first ? -kLeaves : kLeaves, kFewestRuns));
  if (!more) RECALL_TRY(DropEmptyFtsLevels(connection));
  return more;
}

}  // namespace recall

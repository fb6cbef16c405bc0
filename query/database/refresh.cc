// Brings the documents of a store up to date with their files, for answers that must not be stale,
// and after git has written other files.
//
// With RefreshRequest::below several processes may do so while files change, as hooks of git start
// one for each checkout. One may have read a file before it changed and write its document after
// another has found it current. So a process looks again until a look finds nothing to do: what it
// wrote last is then compared with files that are newer than all that it has read. Files that are
// as they were when they were tried are not tried again, so this ends when the files rest.

#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/base/paths/doc_path.h"
#include "index/base/paths/working_directory.h"
#include "index/write/local/local_snapshot.h"
#include "query/add/documents/new_files.h"
#include "query/add/documents/refresh_plan.h"
#include "query/ask/sources/source_checker.h"
#include "query/database/database_state.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

constexpr int kMostLooks = 16;

template <typename T>
void AppendTo(std::vector<T>&& items, std::vector<T>* to) {
  to->insert(to->end(), std::make_move_iterator(items.begin()),
             std::make_move_iterator(items.end()));
}

void AddCounts(const std::map<std::string, int64_t>& counts, std::map<std::string, int64_t>* to) {
  for (const auto& [name, count] : counts) (*to)[name] += count;
}

// Errors: NotFound; IoError if the working directory does not exist.
Result<std::string> AbsoluteDirectory(const std::string& path) {
  if (!path.starts_with('/')) RECALL_TRY(CheckHasPlace(path));
  std::string absolute = AbsoluteLexicalPath(path);
  std::error_code error;
  if (std::filesystem::is_directory(absolute, error)) return absolute;
  return Fail(Status::NotFound("no such directory: " + path, "nothing was added"));
}

// Adds what one request reports to the report of all.
void AddToReport(AddReport&& part, AddReport* all) {
  all->added += part.added;
  all->updated += part.updated;
  all->refreshed += part.refreshed;
  all->unchanged += part.unchanged;
  all->skipped += part.skipped;
  all->failed += part.failed;
  all->chunks += part.chunks;
  all->bytes += part.bytes;
  all->secrets_found += part.secrets_found;
  all->cancelled |= part.cancelled;
  all->gave_up |= part.gave_up;
  AppendTo(std::move(part.failures), &all->failures);
  AppendTo(std::move(part.skips), &all->skips);
  AppendTo(std::move(part.skipped_by), &all->skipped_by);
  AppendTo(std::move(part.secrets), &all->secrets);
  AppendTo(std::move(part.without_text), &all->without_text);
  AppendTo(std::move(part.secrets_in_store), &all->secrets_in_store);
  AppendTo(std::move(part.warnings), &all->warnings);
  AddCounts(part.extracted, &all->extracted);
  AddCounts(part.decoded, &all->decoded);
}

// The files that were tried, and what they were like.
class TriedFiles final {
 public:
  // Leaves the files that exist and were not tried as they are. Returns: whether there are any.
  bool Keep(std::vector<std::string>* paths) {
    std::erase_if(*paths, [&](const std::string& path) {
      const FileStamp stamp = StampOfFile(path);
      if (stamp == FileStamp()) return true;
      const auto [tried, is_new] = tried_.try_emplace(path, stamp);
      if (!is_new && tried->second == stamp) return true;
      tried->second = stamp;
      return false;
    });
    return !paths->empty();
  }
  void Forget(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) tried_.erase(path);
  }

 private:
  std::unordered_map<std::string, FileStamp> tried_;
};

}  // namespace

// Returns: the plan; `current` gets the number of documents that need nothing.
Result<RefreshPlan> DatabaseState::PlanRefresh(const RefreshRequest& request, int64_t* current) {
  RECALL_ASSIGN(const auto transaction, BeginSnapshot(*store_, ""));
  const LocalSnapshot local(*transaction);
  RECALL_ASSIGN(const VisibleSnapshot visible, Visible(local));
  const TextsAndFacts& texts = visible.snapshot().texts();
  const std::string files = RootOfFiles();
  SourceChecker sources(texts, files);
  RefreshPlanner planner(texts, root_, request);
  const bool takes_new = !request.below.empty() && !files.empty();
  NewFiles news(texts, root_, request);
  std::vector<int64_t> rows;
  RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
    rows.push_back(entry.doc_row);
    return true;
  }));
  *current = 0;
  for (const int64_t row : rows) {
    RECALL_ASSIGN(const DocRow doc, texts.ReadDoc(row));
    RECALL_ASSIGN(const SourceState state, sources.StateOf(doc, request.check));
    if (state == SourceState::kCurrent) ++*current;
    RECALL_TRY(planner.Add(doc, state));
    if (takes_new) RECALL_TRY(news.NoteLive(doc));
  }
  if (takes_new) {
    RECALL_ASSIGN(const std::vector<DocRow> removed,
                  ListRemovedDocs(*transaction, INT64_MAX, SIZE_MAX));
    for (const DocRow& doc : removed) RECALL_TRY(news.NoteRemoved(doc));
    RECALL_TRY(news.Plan(store_->path(), &planner));
  }
  return planner.Take();
}

Result<AddReport> DatabaseState::Refresh(const RefreshRequest& given) {
  RefreshRequest request = given;
  for (std::string& directory : request.below) {
    RECALL_ASSIGN(directory, AbsoluteDirectory(directory));
  }
  if (!request.below.empty() && !request.unattended) request.check.within = request.below;
  const bool looks_again = !request.below.empty() && !request.like.dry_run;
  AddReport all;
  TriedFiles tried;
  for (int look = 0; look < kMostLooks; ++look) {
    int64_t current = 0;
    RECALL_ASSIGN(RefreshPlan plan, PlanRefresh(request, &current));
    if (look == 0) all.unchanged = current;
    bool acts = !plan.remove.targets.empty();
    if (acts) {
      plan.remove.dry_run = request.like.dry_run;
      RECALL_ASSIGN(RemoveReport removed, Remove(plan.remove));
      all.removed += static_cast<int64_t>(removed.removed.size());
      for (auto& item : removed.removed) all.removed_paths.push_back(std::move(item.path));
    }
    for (auto& [kind, add] : plan.adds) {
      if (!tried.Keep(&add.paths)) continue;
      acts = true;
      Result<AddReport> added = Add(add, {});
      // One of the files was removed in this moment: the next look plans without it.
      if (!added && added.error().code() == StatusCode::kNotFound && looks_again) {
        tried.Forget(add.paths);
        continue;
      }
      if (!added) return Fail(added.error());
      AddToReport(std::move(*added), &all);
      if (all.cancelled) return all;
    }
    if (!acts || !looks_again) break;
  }
  return all;
}

}  // namespace recall

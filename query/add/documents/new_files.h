#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/paths/source_files.h"
#include "index/search/snapshot/texts_and_facts.h"
#include "query/add/documents/refresh_plan.h"
#include "query/types/refresh_types.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

// Finds the files in the directories of a request that have no document and belong to those of the
// store. The arguments must outlive it. Not thread-safe.
class NewFiles final {
 public:
  NewFiles(const TextsAndFacts& texts, const std::string& store_root, const RefreshRequest& request)
      : texts_(texts), store_root_(store_root), request_(request) {}

  // Takes note of a live document. Note all of them, by path, before any removed one.
  Status NoteLive(const DocRow& doc);
  // The same for a version that was removed; later ones after earlier ones.
  Status NoteRemoved(const DocRow& doc);

  // Plans to add the files. `store_path`: of the store, which is no document. Lists nothing if the
  // store has no document of the directories. Errors: those of reading the store.
  Status Plan(const std::string& store_path, RefreshPlanner* planner) const;

 private:
  // What a new file is added like: a version, and the root of its file.
  struct Example {
    int64_t doc_row = 0;
    SourceCandidate file;
    std::optional<UnixNanos> mtime = {};  // of the version
  };

  Result<std::vector<SourceCandidate>> CandidatesBelow(const DocRow& doc);
  void NoteExample(const DocRow& doc, const SourceCandidate& file);
  bool WasTakenOut(const std::string& path, const std::optional<UnixNanos>& mtime) const;
  bool IsWithinRequest(const std::string& path) const;
  std::set<std::string> WholeDirectories(const std::vector<std::string>& paths) const;
  const Example* ExampleFor(const std::string& path, const std::set<std::string>& whole) const;

  const TextsAndFacts& texts_;
  const std::string& store_root_;
  const RefreshRequest& request_;
  std::vector<SourceRoot> roots_;
  bool has_roots_ = false;
  std::set<std::string> live_;              // files that have documents
  std::map<std::string, Example> removed_;  // by file: its last version
  // An example for each suffix of the files that are directly in a directory, and of those anywhere
  // below it.
  struct Examples {
    std::map<std::string, Example> in;
    std::map<std::string, Example> below;
  };
  std::map<std::string, Examples> examples_;  // by directory
};

}  // namespace recall

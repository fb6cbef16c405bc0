// Problem: a checkout of another branch brings files that the store has never seen, or whose
// documents were removed with the branch before. The store does not record which directories were
// added, nor with which patterns, and a file that nobody has chosen must not be added unasked.
//
// Idea: a file belongs to the store if
//   - it had a document, of which the store has a removed version: it is added as that was; or
//   - a file with the same suffix, in its directory or one above it, has or had a document; or
//   - a directory above it was added as a whole, and a file with the same suffix somewhere in that
//     has or had a document. It was added as a whole if that is so of most files directly in it.
// It is added like that other file, the nearest directory first. So `add .` is continued for every
// kind of file that it found, `add README.md docs` only in docs and for files like README.md, and
// `add --glob '*.md'` only for such files. A name without a suffix stands for itself.
//
// Removed versions are what makes this last: a branch without any of the files removes all
// documents, and the branch before must bring them back. `compact` deletes these versions, and with
// them the memory of files that the work tree does not have at that time.
//
// Invariants: the rules about ignored and hidden files are those of a walk of the directory.
// Archives and what came from no file are neither examples nor new. The result depends only on the
// store and on which files exist.
//
// Cost: in proportion to all versions of the store, times the depth of their directories, and one
// walk.

#include "query/add/documents/new_files.h"

#include <algorithm>
#include <filesystem>

#include "index/base/paths/doc_path.h"
#include "index/source/archive/archive_names.h"
#include "index/write/ingest/walker.h"
#include "storage/base/ascii.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

std::string DirectoryAbove(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos || slash == 0 ? "/" : path.substr(0, slash);
}

// "/a/B.MD" -> ".md", "/a/Makefile" -> "makefile", "/a/.profile" -> ".profile".
std::string KindOfName(const std::string& path) {
  std::string kind = path.substr(path.rfind('/') + 1);
  const size_t dot = kind.rfind('.');
  if (dot != kind.npos) kind.erase(0, dot);
  std::ranges::transform(kind, kind.begin(), ToAsciiLower<char>);
  return kind;
}

bool ExistsAsFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

}  // namespace

// The files below the directories of the request that a document may be of.
Result<std::vector<SourceCandidate>> NewFiles::CandidatesBelow(const DocRow& doc) {
  if (!has_roots_) {
    RECALL_ASSIGN(roots_, texts_.ReadSourceRoots());
    has_roots_ = true;
  }
  std::vector<SourceCandidate> candidates = CandidatesOf(doc.path, store_root_, roots_);
  std::erase_if(candidates,
                [&](const SourceCandidate& candidate) { return !IsWithinRequest(candidate.path); });
  return candidates;
}

void NewFiles::NoteExample(const DocRow& doc, const SourceCandidate& file) {
  const std::string kind = KindOfName(file.path);
  std::string directory = DirectoryAbove(file.path);
  examples_[directory].in.try_emplace(kind, Example{doc.row, file, doc.mtime});
  for (; IsWithinRequest(directory); directory = DirectoryAbove(directory)) {
    examples_[directory].below.try_emplace(kind, Example{doc.row, file, doc.mtime});
    if (directory == "/") break;
  }
}

bool NewFiles::IsWithinRequest(const std::string& path) const {
  return std::ranges::any_of(
      request_.below, [&](const std::string& directory) { return IsAtOrBelow(path, directory); });
}

Status NewFiles::NoteLive(const DocRow& doc) {
  RECALL_ASSIGN(const std::vector<SourceCandidate> candidates, CandidatesBelow(doc));
  const bool is_only_one = candidates.size() == 1;
  for (const SourceCandidate& candidate : candidates) {
    live_.insert(candidate.path);
    const bool is_its_file = is_only_one || ExistsAsFile(candidate.path);
    if (doc.origin == kFileOrigin && is_its_file) NoteExample(doc, candidate);
  }
  return {};
}

Status NewFiles::NoteRemoved(const DocRow& doc) {
  if (doc.origin != kFileOrigin) return {};
  RECALL_ASSIGN(const std::vector<SourceCandidate> candidates, CandidatesBelow(doc));
  for (const SourceCandidate& candidate : candidates) {
    removed_.insert_or_assign(candidate.path, Example{doc.row, candidate, doc.mtime});
    NoteExample(doc, candidate);
  }
  return {};
}

// The directories of which most files are known.
std::set<std::string> NewFiles::WholeDirectories(const std::vector<std::string>& paths) const {
  std::map<std::string, int64_t> majority;  // known files less unknown ones
  for (const std::string& path : paths) {
    const bool is_known = live_.contains(path) || removed_.contains(path);
    majority[DirectoryAbove(path)] += is_known ? 1 : -1;
  }
  std::set<std::string> whole;
  for (const auto& [directory, more] : majority) {
    if (more > 0) whole.insert(directory);
  }
  return whole;
}

const NewFiles::Example* NewFiles::ExampleFor(const std::string& path,
                                              const std::set<std::string>& whole) const {
  if (const auto removed = removed_.find(path); removed != removed_.end()) return &removed->second;
  const std::string kind = KindOfName(path);
  for (std::string directory = path; directory != "/";) {
    directory = DirectoryAbove(directory);
    const auto examples = examples_.find(directory);
    if (examples == examples_.end()) continue;
    const auto& [in, below] = examples->second;
    if (const auto example = in.find(kind); example != in.end()) return &example->second;
    if (!whole.contains(directory)) continue;
    if (const auto example = below.find(kind); example != below.end()) return &example->second;
  }
  return nullptr;
}

// Whether a user removed the document of a file and left the file: it is as it was then. Git writes
// a file anew when it brings it back.
bool NewFiles::WasTakenOut(const std::string& path, const std::optional<UnixNanos>& mtime) const {
  const auto removed = removed_.find(path);
  return removed != removed_.end() && mtime && removed->second.mtime == mtime;
}

Status NewFiles::Plan(const std::string& store_path, RefreshPlanner* planner) const {
  if (examples_.empty()) return {};
  WalkOptions options;
  options.ignore_files = request_.like.ignore_files;
  options.hidden = request_.like.hidden;
  options.store_path = store_path;
  const WalkResult walk = FindFiles(request_.below, store_root_, options);
  std::vector<std::string> paths;
  for (const FoundFile& found : walk.files) paths.push_back(FilePathOf(found, store_root_));
  const std::set<std::string> whole = WholeDirectories(paths);
  for (size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    if (live_.contains(path) || IsArchiveName(path)) continue;
    if (WasTakenOut(path, walk.files[i].mtime)) continue;
    const Example* const example = ExampleFor(path, whole);
    if (example == nullptr) continue;
    RECALL_ASSIGN(const DocRow doc, texts_.ReadDoc(example->doc_row));
    SourceCandidate file = example->file;
    file.path = path;
    RECALL_TRY(planner->AddNew(doc, file));
  }
  return {};
}

}  // namespace recall

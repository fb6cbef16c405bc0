// Resolves the names that users give to documents and chunks.
//
// A name is tried in this order, and the first match is taken:
// 1. the path of a document, relative to the working directory, then as stored; the id of a note;
// the
//    beginning of the path or the id of a session;
// 2. for `rm`, a directory or archive;
// 3. an id or id prefix.
//
// So a document whose path looks like an id can still be named. An ambiguous id prefix is an error,
// never a guess.

#include "query/ask/answer/targets.h"

#include <algorithm>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/base/paths/file_uri.h"
#include "index/base/paths/source_files.h"
#include "index/base/paths/working_directory.h"
#include "index/base/text/case_fold.h"
#include "index/source/archive/archive_names.h"
#include "index/source/note/note_draft.h"
#include "storage/base/nearest_word.h"

namespace recall {
namespace {

constexpr std::string_view kIdMark = "id:";

Status Ambiguous(std::string_view digits, std::string_view what) {
  return Status::InvalidArgument(
      "more than one " + std::string(what) + " has an id that begins with " + std::string(digits),
      "use more digits");
}

bool AreHexDigits(std::string_view text, size_t least) {
  return text.size() >= least && text.size() <= 64 && IdPrefixRange(text).has_value();
}

// Returns: a live document whose path is `name` or ends in "/" + `name`, and how many there are.
Result<std::pair<std::string, size_t>> FindBySuffix(const TextsAndFacts& texts,
                                                    std::string_view name, bool ignore_case) {
  const auto form = [&](std::string_view text) {
    return ignore_case ? InOneCase(text) : std::string(text);
  };
  const std::string whole = form(name);
  const std::string suffix = "/" + whole;
  std::pair<std::string, size_t> found;
  RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
    const std::string path = form(entry.path);
    if (path != whole && !path.ends_with(suffix)) return true;
    if (found.second++ == 0) found.first = entry.path;
    return true;
  }));
  return found;
}

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The path whose file name has the fewest other letters than that of `name`, then the path itself;
// "" if these are more than a third.
Result<std::string> FindNearest(const TextsAndFacts& texts, std::string_view name) {
  const std::string wanted = InOneCase(name);
  const std::string_view file = FileName(wanted);
  std::string nearest;
  std::pair<size_t, size_t> least = {file.size() / 3 + 1, 0};
  RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
    const std::string path = InOneCase(entry.path);
    const std::string_view other = FileName(path);
    const size_t longer = std::max(other.size(), file.size());
    if (longer - std::min(other.size(), file.size()) > least.first) return true;
    std::pair<size_t, size_t> distance = {EditDistance(file, other), 0};
    if (distance.first > least.first) return true;
    distance.second = EditDistance(wanted, path);
    if (distance >= least) return true;
    least = distance;
    nearest = entry.path;
    return true;
  }));
  return nearest;
}

// The note in another folder than notes/ whose file has this name, if it is the only one and there
// is no directory of the name.
Result<std::optional<DocRow>> FindNoteAnywhere(const TextsAndFacts& texts, std::string_view id,
                                               const std::string& store_root) {
  RECALL_ASSIGN(const auto below, texts.FindDocsUnder(NormalizeDocPath(id, store_root)));
  if (!below.empty()) return std::nullopt;
  RECALL_ASSIGN(const auto found, FindBySuffix(texts, std::string(id) + ".md", false));
  if (found.second != 1) return std::nullopt;
  RECALL_ASSIGN(auto doc, texts.FindDoc(found.first));
  if (doc && doc->parser == kNoteParser) return doc;
  return std::nullopt;
}

// The session whose path, or whose id, begins with `name`; a short name must be the whole id.
// Errors: InvalidArgument if there are several.
Result<std::optional<DocRow>> FindSession(const TextsAndFacts& texts, std::string_view name,
                                          const std::string& store_root) {
  constexpr std::string_view kFolder = "sessions";
  const bool is_short = name.size() < kShortestMarkedIdPrefix;
  const bool is_path = name.starts_with(kFolder) && name.substr(kFolder.size()).starts_with('/');
  if (!is_path && name.find('/') != name.npos) return std::nullopt;
  if (!is_path) {
    // A directory has precedence, as the user names it or as it is stored.
    for (const std::string& directory : {NormalizeDocPath(name, store_root), std::string(name)}) {
      RECALL_ASSIGN(const auto below, texts.FindDocsUnder(directory));
      if (!below.empty()) return std::nullopt;
    }
  }
  RECALL_ASSIGN(auto docs, texts.FindDocsUnder(kFolder));
  std::erase_if(docs, [&](const DocRow& doc) {
    const std::string_view path = doc.path;
    // A directory stays one: "sessions/codex" is no session.
    const std::string_view id = path.substr(path.rfind('/') + 1);
    const bool begins = is_path    ? path.starts_with(name) && name.size() > path.size() - id.size()
                        : is_short ? id == name
                                   : id.starts_with(name);
    return doc.parser != kSessionParser || !begins;
  });
  if (docs.size() > 1) return Fail(Ambiguous(name, "session"));
  if (docs.empty()) return std::nullopt;
  return std::move(docs.front());
}

}  // namespace

std::optional<std::string_view> IdDigits(std::string_view target) {
  if (target.starts_with(kIdMark)) {
    const std::string_view digits = target.substr(kIdMark.size());
    if (AreHexDigits(digits, kShortestMarkedIdPrefix)) return digits;
    return std::nullopt;
  }
  if (AreHexDigits(target, kShortestIdPrefix)) return target;
  return std::nullopt;
}

Result<std::optional<DocRow>> FindNamed(const TextsAndFacts& texts, std::string_view given,
                                        const std::string& store_root) {
  const std::string of_uri = PathOfUri(given);
  const std::string_view name = of_uri.empty() ? given : of_uri;
  if (name.empty()) return std::nullopt;
  if (!IdDigits(name)) RECALL_TRY(CheckHasPlace(name));
  RECALL_ASSIGN(auto doc, texts.FindDoc(NormalizeDocPath(name, store_root)));
  if (doc) return doc;
  RECALL_ASSIGN(doc, texts.FindDoc(name));
  if (doc) return doc;
  // "./a.md" of a reader who takes the directory of the store for the working directory.
  RECALL_ASSIGN(doc, texts.FindDoc(NormalizeDocPath(JoinPath(store_root, name), store_root)));
  if (doc) return doc;
  // The file may have been added under a name of its own.
  RECALL_ASSIGN(const std::vector<SourceRoot> roots, texts.ReadSourceRoots());
  const std::string absolute = roots.empty() ? std::string() : AbsoluteLexicalPath(name);
  for (const SourceRoot& root : roots) {
    const std::string directory = DirectoryOf(root, store_root);
    if (!IsAtOrBelow(absolute, directory)) continue;
    RECALL_ASSIGN(doc, texts.FindDoc(NameBelow(root, directory, absolute)));
    if (doc) return doc;
  }
  const bool is_path = name.find('/') != std::string_view::npos;
  if (!is_path) {
    RECALL_ASSIGN(doc, texts.FindDoc(NotePathOf(name)));
  }
  if (doc) return doc;
  RECALL_ASSIGN(doc, FindSession(texts, name, store_root));
  if (doc || is_path || IdDigits(name)) return doc;
  return FindNoteAnywhere(texts, name, store_root);
}

Result<std::optional<DocRow>> FindIgnoringCase(const TextsAndFacts& texts, std::string_view name,
                                               const std::string& store_root) {
  if (name.empty()) return std::nullopt;
  const std::string in_store = InOneCase(name);
  const std::string here = InOneCase(NormalizeDocPath(name, store_root));
  std::vector<std::string> found;
  RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
    const std::string path = InOneCase(entry.path);
    if (path == here || path == in_store) found.emplace_back(entry.path);
    return true;
  }));
  if (found.size() != 1) return std::nullopt;
  return texts.FindDoc(found.front());
}

Result<FoundById> FindById(const TextsAndFacts& texts, std::string_view digits) {
  RECALL_ASSIGN(auto docs, texts.FindDocsById(digits, 2));
  RECALL_ASSIGN(auto chunks, texts.FindChunksById(digits, 2));
  if (docs.size() + chunks.size() > 1) return Fail(Ambiguous(digits, "document or chunk"));
  FoundById found;
  if (!docs.empty()) found.doc = std::move(docs[0]);
  if (!chunks.empty()) found.chunk = std::move(chunks[0]);
  return found;
}

Result<std::vector<DocRow>> ResolveTarget(const TextsAndFacts& texts, const std::string& target,
                                          const std::string& store_root) {
  if (target.empty()) return std::vector<DocRow>();  // not "everything"
  RECALL_ASSIGN(const auto doc, FindNamed(texts, target, store_root));
  // What is removed must be named in full: the beginning of an id may be that of another session
  // than the one that was meant.
  const bool is_whole = doc && (doc->parser != kSessionParser || doc->path == target ||
                                doc->path == NormalizeDocPath(target, store_root) ||
                                doc->path.substr(doc->path.rfind('/') + 1) == target);
  if (is_whole) return std::vector<DocRow>{*doc};
  RECALL_ASSIGN(auto below, texts.FindDocsUnder(NormalizeDocPath(target, store_root)));
  // "." denotes the working directory. As a path of the store it would mean all documents.
  const bool only_dots = target.find_first_not_of("./") == std::string::npos;
  if (!below.empty() || only_dots) return below;
  // An archive denotes all of its members.
  if (IsArchiveName(target)) {
    RECALL_ASSIGN(below, texts.FindDocsUnder(NormalizeDocPath(target, store_root) + "!"));
    if (!below.empty()) return below;
  }
  RECALL_ASSIGN(below, texts.FindDocsUnder(target));
  const auto digits = IdDigits(target);
  if (!below.empty() || !digits) return below;
  RECALL_ASSIGN(auto by_id, texts.FindDocsById(*digits, 2));
  if (by_id.size() > 1) return Fail(Ambiguous(*digits, "document"));
  return by_id;
}

Result<std::string> HintFor(const TextsAndFacts& texts, std::string_view target,
                            const std::string& store_root) {
  const std::string general = "specify the path of a document, its lines (path:9-17), or an id";
  if (target.empty()) return general;
  if (target.starts_with(kIdMark)) {
    return "after id: at least " + std::to_string(kShortestMarkedIdPrefix) +
           " hexadecimal digits of an id must follow";
  }
  RECALL_ASSIGN(auto below, texts.FindDocsUnder(NormalizeDocPath(target, store_root)));
  if (below.empty()) {
    RECALL_ASSIGN(below, texts.FindDocsUnder(target));
  }
  if (!below.empty()) {
    return "it is a directory with " + std::to_string(below.size()) +
           (below.size() == 1 ? " document" : " documents") + ", for example " + below[0].path;
  }
  for (const bool ignore_case : {false, true}) {
    RECALL_ASSIGN(const auto named, FindBySuffix(texts, target, ignore_case));
    const auto& [path, count] = named;
    if (count == 1) return "did you mean " + path + "?";
    if (count > 1) {
      return std::to_string(count) + " documents have this name, for example " + path;
    }
  }
  if (AreHexDigits(target, kShortestMarkedIdPrefix)) {
    return "if it is the start of an id, write id:" + std::string(target);
  }
  RECALL_ASSIGN(const std::string nearest, FindNearest(texts, target));
  if (!nearest.empty()) return "did you mean " + nearest + "?";
  return general;
}

}  // namespace recall

// Problem. A store shows texts as they were added. A file may have been edited or deleted since,
// and the answer does not show it.
//
// Idea. What is about to be shown is compared with its file: by stat(2) alone if nothing has
// happened to the file since the commit that added it, else by its content.
//
// A file of another size is another one. A file is as it was added if its time is the recorded one,
// too, and its inode has not changed since the commit of the version (less a second, in which the
// file was read). The last condition finds contents that were replaced under the old time and size.
// Otherwise the content decides: its hash, that of the original of an extracted text, or that of
// the redacted text, whose file may have any size.
//
// A missing file says that it was deleted only where the files of the store are. A copy of the
// store alone, on another machine, has no files at all, and says nothing. The files are here if
//   - the document came from a recorded root, and that directory exists; or
//   - the document was added beside the directory in which the store is now; or
//   - it is older, and any of 64 documents, spread over the paths, is as old and has its file.
//
// Invariants. Nothing is said of a source that is no file, of a file that may not be examined, and
// of members whose archive does not exist. Errors of the file system are never errors of an answer.
//
// Cost. One stat(2) for each document that is as it was added. At most
// kMostComparedBytes of content for one answer; beyond that a file with another time counts as
// changed.

#include "query/ask/sources/source_checker.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/archive/archive_names.h"
#include "index/source/secrets/redactor.h"
#include "index/source/secrets/secret_marker.h"
#include "index/write/ingest/mailbox_members.h"
#include "index/write/ingest/text_file.h"
#include "storage/base/file_times.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

// An archive is opened if it is no larger.
constexpr int64_t kMostArchive = int64_t{16} << 20;
// A file may have been read this long before its commit; the clock of a file system ticks in steps.
constexpr int64_t kReadBefore = 1'000'000'000;
constexpr size_t kMostSampled = 64;
constexpr int64_t kUnknownSize = -1;  // of a file that may not be examined

bool IsFound(const FileStamp& stamp) { return stamp.size != kUnknownSize && stamp != FileStamp(); }

// Where links lead from a path, or from its nearest directory that exists; "" if nowhere.
std::string RealPathOf(std::string path) {
  std::string rest;
  for (;;) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                           &std::free);
    if (real) return rest.empty() ? std::string(real.get()) : JoinPath(real.get(), rest);
    // A link that leads to nothing: whether there is something outside must not be told.
    struct stat info {};
    if (::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) return {};
    const size_t slash = path.find_last_of('/');
    if (slash == path.npos || slash == 0) return {};
    rest = rest.empty() ? path.substr(slash + 1) : path.substr(slash + 1) + "/" + rest;
    path.resize(slash);
  }
}

bool IsWithin(const std::string& path, const std::vector<std::string>& directories,
              const std::string& store_root) {
  if (directories.empty()) return true;
  const std::string real = RealPathOf(path);
  return !real.empty() && std::ranges::any_of(directories, [&](const std::string& directory) {
    return IsAtOrBelow(real, RealPathOf(directory.empty() ? store_root : directory));
  });
}

}  // namespace

FileStamp StampOfFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return errno == ENOENT || errno == ENOTDIR ? FileStamp() : FileStamp{.size = kUnknownSize};
  }
  const auto device = static_cast<uint64_t>(info.st_dev);
  if (path.ends_with('/')) return {.device = device, .inode = info.st_ino};
  // A directory in place of a file: the file is gone.
  if (!S_ISREG(info.st_mode)) return {};
  return {device, info.st_ino, info.st_size, ModifiedNanos(info), ChangedNanos(info)};
}

FileStamp SourceChecker::Stamp(const std::string& path) {
  files_.push_back({path, StampOfFile(path)});
  return files_.back().stamp;
}

Result<std::vector<SourceCandidate>> SourceChecker::Candidates(std::string_view path) {
  if (!roots_) {
    RECALL_ASSIGN(roots_, texts_.ReadSourceRoots());
  }
  return CandidatesOf(path, store_root_, *roots_);
}

Result<SourceState> SourceChecker::StateOf(const DocRow& doc, const SourceCheck& check) {
  if (!check.on || store_root_.empty()) return SourceState::kCurrent;
  const auto known = known_.find(doc.row);
  if (known != known_.end()) return known->second;
  RECALL_ASSIGN(const SourceState state, Look(doc, check));
  known_.emplace(doc.row, state);
  return state;
}

Result<SourceState> SourceChecker::Look(const DocRow& doc, const SourceCheck& check) {
  if (doc.origin == kFileOrigin) return LookAtFile(doc, check);
  if (doc.origin != kMemberOrigin) return SourceState::kCurrent;
  return SplitMemberPath(doc.path) ? LookAtArchive(doc, check) : LookAtParent(doc, check);
}

Result<SourceState> SourceChecker::LookAtFile(const DocRow& doc, const SourceCheck& check) {
  RECALL_ASSIGN(const auto candidates, Candidates(doc.path));
  bool differs = false;
  bool unknown = false;
  bool has_root = false;     // the document may be of a recorded root
  bool root_exists = false;  // and that is there
  for (const SourceCandidate& candidate : candidates) {
    if (!IsWithin(candidate.path, check.within, store_root_)) {
      unknown = true;
      continue;
    }
    RECALL_ASSIGN(const Finding finding, Compare(doc, candidate.path, check));
    if (finding == Finding::kSame) return SourceState::kCurrent;
    differs |= finding == Finding::kDiffers;
    unknown |= finding == Finding::kUnknown;
    if (candidate.directory.empty()) continue;
    has_root = true;
    root_exists |= IsFound(Stamp(JoinPath(candidate.directory, "")));
  }
  if (differs) return SourceState::kChanged;
  if (unknown) return SourceState::kCurrent;
  if (has_root) return root_exists ? SourceState::kDeleted : SourceState::kCurrent;
  RECALL_ASSIGN(const bool here, AreFilesHere(doc));
  return here ? SourceState::kDeleted : SourceState::kCurrent;
}

// A member is as it was added if its archive was not written since.
Result<SourceState> SourceChecker::LookAtArchive(const DocRow& doc, const SourceCheck& check) {
  const auto parts = SplitMemberPath(doc.path);
  RECALL_ASSIGN(const auto candidates, Candidates(parts->archive));
  for (const SourceCandidate& candidate : candidates) {
    if (!IsWithin(candidate.path, check.within, store_root_)) return SourceState::kCurrent;
    const FileStamp stamp = Stamp(candidate.path);
    if (!IsFound(stamp)) continue;
    RECALL_ASSIGN(const bool changed, ChangedSince(stamp, doc.added_sequence, 0));
    if (!changed || stamp.size > kMostArchive) return SourceState::kCurrent;
    const auto bytes =
        ReadMember(candidate.path, parts->member, {kMostComparedBytes, kMostComparedBytes});
    if (!bytes) {
      const bool missing = bytes.error().code() == StatusCode::kNotFound;
      return missing ? SourceState::kDeleted : SourceState::kCurrent;
    }
    RECALL_ASSIGN(const bool same, IsText(doc, *bytes, check));
    return same ? SourceState::kCurrent : SourceState::kChanged;
  }
  return SourceState::kCurrent;
}

// A file that is attached to a document: its state is that of the document, because only a parser
// can compare it.
Result<SourceState> SourceChecker::LookAtParent(const DocRow& doc, const SourceCheck& check) {
  const size_t end = doc.path.rfind("!/");
  if (end == doc.path.npos) return SourceState::kCurrent;
  RECALL_ASSIGN(const auto parent, texts_.FindDoc(doc.path.substr(0, end)));
  if (!parent) return SourceState::kCurrent;
  return StateOf(*parent, check);
}

Result<SourceChecker::Finding> SourceChecker::Compare(const DocRow& doc, const std::string& path,
                                                      const SourceCheck& check) {
  const FileStamp stamp = Stamp(path);
  if (stamp.size == kUnknownSize) return Finding::kUnknown;
  if (!IsFound(stamp)) return Finding::kMissing;
  RECALL_ASSIGN(const bool other_size, HasOtherSize(doc, stamp.size));
  if (other_size) return Finding::kDiffers;
  const bool doubtful = doc.mtime && stamp.modified == *doc.mtime;
  if (doubtful) {
    RECALL_ASSIGN(const bool changed, ChangedSince(stamp, doc.added_sequence, kReadBefore));
    if (!changed) return Finding::kSame;
  }
  return CompareContent(doc, path, stamp.size, doubtful, check);
}

// Whether the size of a file shows that its text is another one. That of a compressed file, of one
// whose text was assembled from chunks, and of one whose secrets were replaced is not recorded.
Result<bool> SourceChecker::HasOtherSize(const DocRow& doc, int64_t size) {
  if (IsCompressedName(doc.path) || doc.parser == kImportedParser) return false;
  RECALL_ASSIGN(const auto extraction, texts_.ReadExtraction(doc.row));
  if (size == (extraction ? extraction->original_size : doc.size)) return false;
  if (extraction) return true;
  RECALL_ASSIGN(const bool redacted, IsRedacted(doc));
  return !redacted;
}

Result<bool> SourceChecker::IsRedacted(const DocRow& doc) {
  RECALL_ASSIGN(const std::string stored, texts_.ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
  return stored.find(kSecretMarker) != stored.npos;
}

Result<SourceChecker::Finding> SourceChecker::CompareContent(const DocRow& doc,
                                                             const std::string& path, int64_t size,
                                                             bool doubtful,
                                                             const SourceCheck& check) {
  const Finding unread = doubtful ? Finding::kSame : Finding::kDiffers;
  uint64_t& left = doubtful ? doubted_left_ : compared_left_;
  if (static_cast<uint64_t>(size) > left) return unread;
  left -= static_cast<uint64_t>(size);
  const auto bytes = ReadFileBytes(path, kMostComparedBytes);
  if (!bytes) {
    const bool too_large = bytes.error().code() == StatusCode::kLimitExceeded;
    return too_large ? unread : Finding::kUnknown;
  }
  RECALL_ASSIGN(const bool same, IsText(doc, *bytes, check));
  return same ? Finding::kSame : Finding::kDiffers;
}

// Whether the bytes of a source are those that the document was made of.
Result<bool> SourceChecker::IsText(const DocRow& doc, const std::string& text,
                                   const SourceCheck& check) {
  const Digest hash = Sha256(text);
  RECALL_ASSIGN(const auto extraction, texts_.ReadExtraction(doc.row));
  if (extraction) return hash == extraction->original_hash;
  if (hash == doc.hash) return true;
  // A text that `add --secrets redact` stored is that of its file after the same redaction.
  RECALL_ASSIGN(const bool redacted, IsRedacted(doc));
  if (!redacted) return false;
  const auto redactor = Redactor::Make(check.secrets.rules, check.secrets.allow);
  return redactor && Sha256(redactor->Redact(text, nullptr)) == doc.hash;
}

Result<bool> SourceChecker::ChangedSince(const FileStamp& stamp, int64_t commit, int64_t margin) {
  auto known = commits_.find(commit);
  if (known == commits_.end()) {
    RECALL_ASSIGN(const auto at, texts_.CommittedAt(commit));
    known = commits_.emplace(commit, at).first;
  }
  if (!known->second) return false;
  return stamp.changed >= *known->second - margin;
}

// Whether a document was added beside the present directory of the store, or else others of its
// time have files here.
Result<bool> SourceChecker::AreFilesHere(const DocRow& doc) {
  if (!home_) {
    RECALL_ASSIGN(home_, texts_.ReadHome());
    Stamp(JoinPath(store_root_, ""));
    if (home_->identity != IdentityOfDirectory(store_root_)) home_ = StoreHome();
  }
  if (IsFromHome(doc)) return true;
  if (!old_files_are_here_) {
    RECALL_ASSIGN(old_files_are_here_, AreOldFilesHere());
  }
  return *old_files_are_here_;
}

bool SourceChecker::IsFromHome(const DocRow& doc) const {
  return !home_->identity.empty() && doc.added_sequence >= home_->since;
}

Result<bool> SourceChecker::AreOldFilesHere() {
  // Every stride-th path; the stride doubles when the sample is full.
  std::vector<int64_t> sample;
  size_t stride = 1;
  size_t place = 0;
  RECALL_TRY(texts_.ScanPaths(false, [&](const PathEntry& entry) {
    if (place++ % stride != 0) return true;
    if (sample.size() == kMostSampled) {
      for (size_t i = 0; 2 * i < sample.size(); ++i) sample[i] = sample[2 * i];
      sample.resize(kMostSampled / 2);
      stride *= 2;
      if ((place - 1) % stride != 0) return true;
    }
    sample.push_back(entry.doc_row);
    return true;
  }));
  bool here = false;
  for (size_t i = 0; i < sample.size() && !here; ++i) {
    RECALL_ASSIGN(const DocRow doc, texts_.ReadDoc(sample[i]));
    if (doc.origin != kFileOrigin || IsFromHome(doc)) continue;
    RECALL_ASSIGN(const auto candidates, Candidates(doc.path));
    here = std::ranges::any_of(candidates, [&](const SourceCandidate& candidate) {
      return IsFound(Stamp(candidate.path));
    });
  }
  return here;
}

}  // namespace recall

#include "index/write/ingest/archive_source.h"

#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/archive/archive_names.h"
#include "index/write/ingest/mailbox_members.h"
#include "index/write/ingest/text_file.h"

namespace recall {
namespace {

using Outcome = PreparedDocument::Outcome;

IngestSource::Item Fixed(const PreparedDocument& prepared) {
  IngestSource::Item item;
  item.make = [prepared](const std::optional<DocRow>&, TermBuilder&) { return prepared; };
  return item;
}

IngestSource::Item Fixed(Outcome outcome, const std::string& path, const std::string& reason,
                         SkipReason skip = SkipReason::kOther) {
  PreparedDocument prepared;
  prepared.outcome = outcome;
  prepared.fault = {path, 0, path, reason, skip};
  return Fixed(prepared);
}

// As in a walk of directories, files of .git are left out.
bool IsInGitDirectory(std::string_view name) {
  return name == ".git" || name.starts_with(".git/") || name.find("/.git/") != name.npos ||
         name.ends_with("/.git");
}

}  // namespace

bool IsHiddenMember(std::string_view name) {
  return IsHiddenName(name) || name.find("/.") != name.npos;
}

FilesAndArchives::FilesAndArchives(const std::vector<FoundFile>* files, const WalkOptions& walk,
                                   const BuildOptions* options, const std::atomic<bool>* cancel)
    : files_(files),
      filter_(walk.globs, walk.ignores),
      hidden_(walk.hidden),
      options_(options),
      cancel_(cancel) {}

Result<std::optional<IngestSource::Item>> FilesAndArchives::Next() {
  for (;;) {
    if (cancel_->load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
    std::optional<Item> item;
    if (reader_) {
      RECALL_ASSIGN(item, NextMember());
    } else if (next_ == files_->size()) {
      return std::nullopt;
    } else if (const FoundFile& file = (*files_)[next_++]; file.is_archive) {
      RECALL_ASSIGN(item, Enter(file));
    } else {
      return FileItem(file, *options_);
    }
    if (item) return item;
  }
}

Result<std::optional<IngestSource::Item>> FilesAndArchives::Enter(const FoundFile& file) {
  const std::string path = FilePathOf(file, options_->store_root);
  RECALL_ASSIGN(listings_[file.doc_path], ListNames(path));
  archive_ = file.doc_path;
  number_ = 0;
  auto reader = OpenMembers(path, Limits(), cancel_);
  if (!reader && reader.error().code() == StatusCode::kNotFound) {
    return Fixed(RejectedDocument(file, reader.error()));
  }
  if (!reader) return Leave(reader.error());
  reader_ = std::move(*reader);
  return std::nullopt;
}

// A fault ends the list. It is not reported here, because reading the members finds it again.
Result<ArchiveListing> FilesAndArchives::ListNames(const std::string& path) const {
  ArchiveListing listing;
  auto reader = OpenMembers(path, Limits(), cancel_);
  if (!reader) return listing;
  ArchiveMember member;
  for (int64_t number = 0;; ++number) {
    const Result<bool> more = (*reader)->Next(&member);
    if (!more && more.error().code() == StatusCode::kCancelled) return Fail(more.error());
    if (!more) return listing;
    listing.complete = !*more;
    if (!*more) return listing;
    if (!member.is_directory && !member.name.empty()) listing.members[member.name] = number;
  }
}

Result<std::optional<IngestSource::Item>> FilesAndArchives::NextMember() {
  ArchiveMember member;
  const Result<bool> more = reader_->Next(&member);
  if (!more && more.error().code() == StatusCode::kCancelled) return Fail(more.error());
  if (!more) return Leave(more.error());
  if (!*more) {
    reader_.reset();
    return std::nullopt;
  }
  ++number_;
  if (member.is_directory) return std::nullopt;
  std::optional<Item> item = TakeMember(member);
  if (cancel_->load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
  return item;
}

std::optional<IngestSource::Item> FilesAndArchives::TakeMember(const ArchiveMember& member) {
  if (member.name.empty()) {
    return Fixed(Outcome::kSkipped, MemberPath(archive_, member.shown), member.refusal);
  }
  std::string path = MemberPath(archive_, member.name);
  if (IsInGitDirectory(member.name) || !filter_.KeepsFile(path, member.name)) return std::nullopt;
  const auto& members = listings_[archive_].members;
  const auto last = members.find(member.name);
  if (last != members.end() && last->second != number_ - 1) return std::nullopt;
  if (!hidden_ && IsHiddenMember(member.name)) {
    ++hidden_members_;
    return std::nullopt;
  }
  if (!member.refusal.empty()) return Fixed(Outcome::kSkipped, path, member.refusal);
  Result<std::string> text = reader_->Read();
  if (text) return DocumentOf(std::move(path), member, std::move(*text));
  if (reader_->ended()) return Leave(text.error());
  const bool too_large = text.error().code() == StatusCode::kLimitExceeded;
  return Fixed(too_large ? Outcome::kSkipped : Outcome::kFailed, path,
               std::string(text.error().message()), SkipReasonOf(text.error()));
}

// Ends the archive with a fault.
IngestSource::Item FilesAndArchives::Leave(const Status& fault) {
  reader_.reset();
  listings_[archive_].complete = false;
  return Fixed(Outcome::kFailed, archive_, std::string(fault.message()));
}

IngestSource::Item FilesAndArchives::DocumentOf(std::string doc_path, const ArchiveMember& member,
                                                std::string text) const {
  Item item;
  item.path = doc_path;
  item.bytes = static_cast<int64_t>(text.size());
  auto kept = std::make_shared<std::string>(std::move(text));
  item.make = [this, kept, path = std::move(doc_path), mtime = member.mtime](
                  const std::optional<DocRow>& live, TermBuilder& terms) {
    if (IsKnownByTime(live, mtime, kMemberOrigin, *options_)) return PreparedDocument();
    FileContent content;
    content.bytes = std::move(*kept);
    const Status is_text = CompleteContent(path, ReadersOf(*options_), &content);
    if (!is_text.ok()) {
      PreparedDocument skipped;
      skipped.outcome = Outcome::kSkipped;
      skipped.fault = {path, 0, path, std::string(is_text.message()), SkipReason::kNotText};
      return skipped;
    }
    ProvidedDocument given;
    given.path = path;
    given.origin = kMemberOrigin;
    given.mtime = mtime;
    return PrepareContent(std::move(content), std::move(given), live, *options_, terms);
  };
  return item;
}

}  // namespace recall

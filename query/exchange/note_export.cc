// Writes notes for other programs.
//
// Problem. The files of an export may lie in a vault that a user edits. An export must not undo
// these edits, but a later export must be able to replace what an earlier one wrote.
//
// Idea. The directory keeps a list of the files that exports wrote, with their hashes. A file may
// be replaced if it still has the hash of the list, or if it is the same anyway. All files are
// compared before the first one is written, so an export that is refused changes nothing.
//
// Invariants. Each file appears complete or not at all. No file is written outside of the
// directory. The bytes depend only on the notes.
//
// Cost: the notes are read and written as Markdown twice; memory for their names.

#include "query/exchange/note_export.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "index/base/paths/doc_path.h"
#include "index/source/note/note_draft.h"
#include "query/add/records/json_record.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/views.h"
#include "query/compat/memories/graph_lines.h"
#include "query/compat/memories/note_markdown.h"
#include "storage/base/ids.h"
#include "storage/file_io/input_lines.h"
#include "storage/file_io/output_file.h"
#include "storage/notes/activity_table.h"
#include "storage/notes/name_table.h"

namespace recall {
namespace {

// Names of the files that exports wrote, by line: the hash, two spaces, the name.
constexpr std::string_view kListName = ".recall-notes";
constexpr uint64_t kMostListBytes = uint64_t{64} << 20;
constexpr size_t kHashDigits = 64;

std::string HashOf(std::string_view text) { return ToHex(Sha256(text)); }

// Reads the notes of a scope, one after another.
class NoteReader final {
 public:
  NoteReader(const ReadTransaction& transaction, const Snapshot& snapshot,
             const TransferDependencies& deps, const ExportRequest& request)
      : transaction_(transaction), snapshot_(snapshot), deps_(deps), request_(request) {}

  // Lists the notes of the scope. Fills the fields of the report about the scope.
  Status List(ExportReport* report) {
    report->store = Summarize(transaction_, *deps_.store);
    RECALL_ASSIGN(ResolvedScope scope, ResolveScope(snapshot_.filters(), request_.scope,
                                                    report->store.snapshot, FilterDomain::kDocs));
    report->warnings = std::move(scope.warnings);
    report->filter = std::move(scope.filter);
    report->as_of = scope.as_of;
    as_of_ = request_.scope.as_of.value_or(INT64_MAX);
    std::vector<int64_t> rows;
    RECALL_TRY(snapshot_.texts().ScanPaths(false, [&](const PathEntry& entry) {
      if (!scope.set || scope.set->Contains(static_cast<uint32_t>(entry.doc_row))) {
        rows.push_back(entry.doc_row);
      }
      return true;
    }));
    for (const int64_t row : rows) {
      RECALL_ASSIGN(DocRow doc, snapshot_.texts().ReadDoc(row));
      if (doc.parser == kNoteParser) docs_.push_back(std::move(doc));
    }
    report->docs = static_cast<int64_t>(docs_.size());
    return Status::Ok();
  }

  const std::vector<DocRow>& docs() const { return docs_; }

  Result<ExportedNote> Read(const DocRow& doc) const {
    if (deps_.cancel->load(std::memory_order_relaxed)) {
      return Fail(Status::Cancelled("the export was interrupted"));
    }
    ExportedNote note;
    note.path = doc.path;
    RECALL_ASSIGN(note.text, snapshot_.texts().ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
    RECALL_ASSIGN(const auto links, LinksOf(doc));
    for (const LinkRecord& link : links) {
      if (link.origin != kTextLink) note.links.push_back(ToForeign(link));
    }
    RECALL_ASSIGN(const auto facts, snapshot_.notes().FindFacts(doc.row, as_of_));
    if (!facts) return note;
    const Activity& activity = facts->activity;
    if (activity.uses > 0 && activity.used_at) {
      note.uses = ForeignUse{activity.uses, *activity.used_at};
    }
    if (!activity.due) return note;
    RECALL_ASSIGN(note.review, ReviewOf(doc.path, activity));
    return note;
  }

  Result<std::vector<LinkRecord>> LinksOf(const DocRow& doc) const {
    return snapshot_.notes().LinksAt(LinkEnd::kSource, doc.path);
  }

 private:
  static ForeignLink ToForeign(const LinkRecord& link) {
    ForeignLink result;
    result.target = link.target;
    result.is_path = true;
    result.relation = link.relation;
    result.weight = link.weight;
    result.reason = link.reason.value_or("");
    result.near = link.origin == kNearLink;
    result.at = link.at;
    return result;
  }

  // The state, with the row of the log that made it.
  Result<std::optional<ForeignReview>> ReviewOf(const std::string& path,
                                                const Activity& activity) const {
    ForeignReview review;
    review.algorithm = "sm2";
    review.repetitions = activity.repetitions;
    review.interval_days = std::max<int64_t>(activity.interval_days, 1);
    review.easiness = activity.easiness;
    review.due = *activity.due;
    review.at = activity.reviewed_at.value_or(review.due - review.interval_days * kNanosPerDay);
    RECALL_ASSIGN(const auto name, FindName(transaction_.connection(), path));
    if (!name) return std::optional(review);
    RECALL_ASSIGN(const auto rows, ReviewsOf(transaction_.connection(), *name));
    for (const ReviewRow& row : rows) {
      if (row.due != *activity.due || row.interval_days != activity.interval_days) continue;
      review.algorithm = row.algorithm;
      review.quality = row.quality;
      review.at = row.at;
    }
    return std::optional(review);
  }

  const ReadTransaction& transaction_;
  const Snapshot& snapshot_;
  const TransferDependencies& deps_;
  const ExportRequest& request_;
  UnixNanos as_of_ = INT64_MAX;
  std::vector<DocRow> docs_;
};

// ---- Markdown files -----------------------------------------------------------------------------

class FilesWriter final {
 public:
  FilesWriter(const NoteReader& reader, const TransferDependencies& deps,
              const ExportRequest& request, const AddProgressFn& progress, ExportReport* report)
      : reader_(reader),
        deps_(deps),
        directory_(request.out_path),
        force_(request.force),
        progress_(progress),
        report_(report) {}

  Status Write() {
    AssignFiles();
    RECALL_TRY(ReadList());
    RECALL_TRY(CompareAll());
    std::error_code error;
    std::filesystem::create_directories(directory_, error);
    AddProgress shown;
    shown.files_total = static_cast<int64_t>(files_.size());
    for (size_t i = 0; i < files_.size(); ++i) {
      if (!unchanged_.contains(i)) RECALL_TRY(WriteFile(i));
      ++shown.files_done;
      progress_.Update(shown);
    }
    return WriteList();
  }

 private:
  std::string PathOf(const std::string& name) const { return JoinPath(directory_, name); }

  // Names that only differ in case are one file on some systems.
  void AssignFiles() {
    std::set<std::string> taken;
    for (const DocRow& doc : reader_.docs()) {
      const std::string wanted = ExportedFileOf(doc.path);
      std::string name = wanted;
      for (int number = 2; !taken.insert(name).second; ++number) {
        name = StemmedName(wanted) + "-" + std::to_string(number) + ".md";
      }
      files_.push_back(std::move(name));
    }
  }

  Status ReadList() {
    struct stat info {};
    const std::string path = PathOf(std::string(kListName));
    if (::lstat(path.c_str(), &info) != 0) return Status::Ok();
    RECALL_ASSIGN(auto file, InputFile::Open(path, deps_.cancel));
    RECALL_ASSIGN(const std::string text, ReadAll(*file, kMostListBytes));
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = std::string_view(text).substr(at, end - at);
      at = end + 1;
      if (line.size() <= kHashDigits + 2) continue;
      written_[std::string(line.substr(kHashDigits + 2))] = line.substr(0, kHashDigits);
    }
    return Status::Ok();
  }

  Result<std::string> Render(size_t i) const {
    RECALL_ASSIGN(const ExportedNote note, reader_.Read(reader_.docs()[i]));
    return ExportedMarkdown(note, files_[i]);
  }

  // Finds the files that are as they should be, and refuses those that are not this export's.
  Status CompareAll() {
    std::string first;
    int64_t foreign = 0;
    for (size_t i = 0; i < files_.size(); ++i) {
      struct stat info {};
      if (::lstat(PathOf(files_[i]).c_str(), &info) != 0) continue;
      RECALL_ASSIGN(const std::string text, Render(i));
      RECALL_ASSIGN(const std::string present, HashOfFile(PathOf(files_[i]), info));
      const auto known = written_.find(files_[i]);
      if (present == HashOf(text)) {
        unchanged_.insert(i);
        written_[files_[i]] = present;
      } else if (known == written_.end() || known->second != present) {
        if (foreign++ == 0) first = PathOf(files_[i]);
      }
    }
    if (foreign == 0 || force_) return Status::Ok();
    const std::string others =
        foreign > 1 ? " (and " + std::to_string(foreign - 1) + " more)" : std::string();
    return Status::AlreadyExists(PrintablePath(first) + others +
                                     " was not written by an export, or was edited since then; "
                                     "nothing was written",
                                 "specify an empty directory, or --force to replace such files");
  }

  // "" for what is not a regular file.
  Result<std::string> HashOfFile(const std::string& path, const struct stat& info) const {
    if (!S_ISREG(info.st_mode)) return std::string();
    RECALL_ASSIGN(auto file, InputFile::Open(path, deps_.cancel));
    auto text = ReadAll(*file, kMostForeignBytes);
    if (text) return HashOf(*text);
    if (text.error().code() == StatusCode::kLimitExceeded) return std::string();
    return Fail(text.error());
  }

  Status WriteFile(size_t i) {
    RECALL_ASSIGN(const std::string text, Render(i));
    const std::string path = PathOf(files_[i]);
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    RECALL_ASSIGN(const auto file, OutputFile::Create(path, deps_.cancel));
    RECALL_TRY(file->Write(text));
    RECALL_TRY(file->Finish());
    ++report_->files_written;
    report_->bytes += static_cast<int64_t>(text.size());
    written_[files_[i]] = HashOf(text);
    return Status::Ok();
  }

  Status WriteList() {
    std::string list;
    for (const auto& [name, hash] : written_) list.append(hash).append("  ").append(name) += '\n';
    const std::set<std::string> now(files_.begin(), files_.end());
    const auto old = std::ranges::count_if(
        written_, [&](const auto& entry) { return !now.contains(entry.first); });
    if (old > 0) {
      report_->warnings.push_back(std::to_string(old) +
                                  (old == 1 ? " file of an earlier export is"
                                            : " files of earlier "
                                              "exports are") +
                                  " not among the notes of this one; they were left as they are");
    }
    RECALL_ASSIGN(const auto file,
                  OutputFile::Create(PathOf(std::string(kListName)), deps_.cancel));
    RECALL_TRY(file->Write(list));
    return file->Finish();
  }

  const NoteReader& reader_;
  const TransferDependencies& deps_;
  std::string directory_;
  bool force_;
  TransferProgress progress_;
  ExportReport* report_;
  std::vector<std::string> files_;              // parallel to the notes
  std::map<std::string, std::string> written_;  // hashes of the list, by name
  std::set<size_t> unchanged_;
};

// ---- Entities and relations ---------------------------------------------------------------------

class GraphWriter final {
 public:
  GraphWriter(const NoteReader& reader, const TransferDependencies& deps,
              const ExportRequest& request, const ExportSink& sink, const AddProgressFn& progress,
              ExportReport* report)
      : reader_(reader),
        deps_(deps),
        request_(request),
        sink_(sink),
        progress_(progress),
        report_(report) {}

  Status Write() {
    NameNotes();
    if (!request_.out_path.empty()) {
      RECALL_ASSIGN(file_, OutputFile::Create(request_.out_path, deps_.cancel));
    }
    AddProgress shown;
    shown.files_total = report_->docs;
    for (size_t i = 0; i < reader_.docs().size(); ++i) {
      RECALL_TRY(WriteEntity(i));
      ++shown.files_done;
      progress_.Update(shown);
    }
    for (size_t i = 0; i < reader_.docs().size(); ++i) RECALL_TRY(WriteRelations(i));
    if (!file_) return Status::Ok();
    RECALL_TRY(file_->Finish());
    report_->bytes = file_->bytes_written();
    return Status::Ok();
  }

 private:
  using Json = nlohmann::json;

  static Json CardOf(const DocRow& doc) {
    return (doc.meta ? ParseJsonObject(*doc.meta) : std::nullopt).value_or(Json::object());
  }

  static std::string TextIn(const Json& card, const char* key) {
    const auto field = card.find(key);
    return field != card.end() && field->is_string() ? field->get<std::string>() : std::string();
  }

  // The title names an entity; the id is added where it names two.
  void NameNotes() {
    std::set<std::string> taken;
    for (const DocRow& doc : reader_.docs()) {
      const std::string id = ExportedIdOf(doc.path);
      std::string name = TextIn(CardOf(doc), "title");
      if (name.empty()) name = id;
      while (!taken.insert(name).second) name += " (" + id + ")";
      by_path_[doc.path] = name;
      names_.push_back(std::move(name));
    }
  }

  Status WriteEntity(size_t i) {
    const DocRow& doc = reader_.docs()[i];
    RECALL_ASSIGN(const ExportedNote note, reader_.Read(doc));
    const Json card = CardOf(doc);
    for (const auto& [key, value] : card.items()) {
      if (!IsPartOfEntity(key)) ++report_->left_out[key];
    }
    for (const char* state : {"uses", "reviews"}) {
      const bool has = state[0] == 'u' ? note.uses.has_value() : note.review.has_value();
      if (has) ++report_->left_out[state];
    }
    return WriteLine(EntityLine(names_[i], note.text, card));
  }

  Status WriteRelations(size_t i) {
    RECALL_ASSIGN(const auto links, reader_.LinksOf(reader_.docs()[i]));
    std::set<std::tuple<std::string, std::string>> known;
    for (const LinkRecord& link : links) {
      const auto target = by_path_.find(link.target);
      const std::string to = target == by_path_.end() ? ExportedIdOf(link.target) : target->second;
      // An import keeps a relation that is no name as the reason.
      const bool original = link.reason && RelationNameOf(*link.reason) == link.relation;
      const std::string relation = original ? *link.reason : link.relation;
      if (!known.emplace(to, relation).second) continue;
      RECALL_TRY(WriteLine(RelationLine(names_[i], to, relation)));
    }
    return Status::Ok();
  }

  Status WriteLine(const std::string& line) {
    ++report_->lines;
    if (file_) return file_->Write(line);
    report_->bytes += static_cast<int64_t>(line.size());
    return sink_ ? sink_(line) : Status::Ok();
  }

  const NoteReader& reader_;
  const TransferDependencies& deps_;
  const ExportRequest& request_;
  const ExportSink& sink_;
  TransferProgress progress_;
  ExportReport* report_;
  std::unique_ptr<OutputFile> file_;
  std::vector<std::string> names_;  // parallel to the notes
  std::map<std::string, std::string> by_path_;
};

}  // namespace

Result<ExportReport> ExportNotes(const ReadTransaction& transaction, const Snapshot& snapshot,
                                 const TransferDependencies& deps, const ExportRequest& request,
                                 const ExportSink& sink, const AddProgressFn& progress) {
  ExportReport report;
  NoteReader reader(transaction, snapshot, deps, request);
  RECALL_TRY(reader.List(&report));
  if (request.layout == ExportLayout::kNotes) {
    RECALL_TRY(FilesWriter(reader, deps, request, progress, &report).Write());
  } else {
    RECALL_TRY(GraphWriter(reader, deps, request, sink, progress, &report).Write());
  }
  return report;
}

}  // namespace recall

// A store that follows the log of a table of documents.
//
// The problem: rows change in transactions of the user, which may be rolled back, and whose
// database may be restored from a backup. The store has commits of its own, and a process may end
// between two of them.
//
// The idea: the store has a document, kPositionPath, with the number and the stamp of the last
// entry of the log that it knows. If the log contains this entry, the rows named behind it are
// written again, as they are now. Otherwise, or if there is no such document, all are compared: a
// document has the stamp of its row as its source.
//
// Invariants:
// - If the store is at an entry that is the last one of a log, its documents are the rows of that
//   log. For the position is written in one commit with the documents, or, if they need several, is
//   taken away before the first of them and written after the last.
// - Applying changes twice is the same as once.
//
// Cost: of a change, that of adding a document. Of a comparison, reading the paths and stamps of
// all rows and all documents.

#include "cli/sqlite/followed_store.h"

#include <unistd.h>

#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "cli/library/library_options.h"
#include "cli/show/terminal/exit_code.h"
#include "cli/sqlite/host_stores.h"
#include "index/base/json/json_tape.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

// What is added by one call: far less than `add` commits at once (16 MiB, 8,192 documents).
constexpr size_t kBatchBytes = 4 << 20;
constexpr size_t kBatchDocuments = 2'048;
constexpr size_t kBatchRemovals = 512;
constexpr size_t kPageOfList = 1'000;

std::string QuotedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

// The document that says where the store is; nullopt: it is between two entries.
std::string PositionLine(const std::optional<LogPosition>& position) {
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("path", kPositionPath);
  json.Field("text", std::string_view());
  json.Key("meta");
  if (position) {
    json.BeginObject();
    json.Field("number", std::to_string(position->number));
    json.Field("stamp", position->stamp);
    json.EndObject();
  } else {
    json.Null();
  }
  json.EndObject();
  return line + "\n";
}

LibraryRequest Query(const std::string& rql) {
  return {.command = "query", .texts = {{"rql", rql}}};
}

std::string SnapshotOf(const JsonTape& tape) { return tape.root()["stats"]["snapshot"].Text(); }

}  // namespace

Status FollowedStore::Open(bool create) {
  if (store_) return Status::Ok();
  // The secrets of the texts are in the database already. What a recall.toml says is not for it.
  const std::string options = std::string(create ? R"({"create":true,)" : "{") +
                              R"("settings_from":"none","settings":{"embedding":")" + embedding_ +
                              R"(","secrets":"keep","check_sources":"no"}})";
  RECALL_ASSIGN(LibraryOptions read, ReadLibraryOptions(directory_, options));
  RECALL_ASSIGN(const CallAnswer opened, LibraryStore::Open(std::move(read), &store_));
  if (store_) return Status::Ok();
  if (opened.failure && opened.failure->code == ErrorCode::kStoreNotFound) {
    return Status::StoreNotFound(opened.failure->message);
  }
  const Status error = ErrorOf(opened);
  return Status::InvalidArgument(
      std::string(error.message()),
      "if '" + directory_ + "' is damaged, delete it: it is made again from the rows");
}

void FollowedStore::Close() {
  store_.reset();
  position_.reset();
  snapshot_.clear();
}

Result<CallAnswer> FollowedStore::Call(const LibraryRequest& request) {
  RECALL_ASSIGN(CallAnswer answer, store_->Call(request));
  if (answer.exit == ExitCode::kDone) return answer;
  if (answer.failure && answer.failure->code == ErrorCode::kStoreNotFound) {
    Close();
    return Fail(Status::StoreNotFound(answer.failure->message));
  }
  return Fail(ErrorOf(answer));
}

Result<std::optional<LogPosition>> FollowedStore::Position() {
  position_.reset();
  RECALL_ASSIGN(
      const CallAnswer answer,
      Call(Query("FROM doc FILTER doc.path = " + QuotedText(kPositionPath) + " SELECT doc.meta")));
  JsonTape tape;
  if (!tape.Parse(answer.output)) return Fail(Status::Internal("the answer is not JSON"));
  snapshot_ = SnapshotOf(tape);
  tape.root()["results"].ForEach([&](TapeValue row) {
    const TapeValue meta = row["doc"]["meta"];
    const std::string number = meta["number"].Text();
    if (number.empty()) return;
    position_ = LogPosition{.number = std::strtoll(number.c_str(), nullptr, 10),
                            .stamp = meta["stamp"].Text()};
  });
  return position_;
}

Result<std::optional<CallAnswer>> FollowedStore::Read(const LibraryRequest& request) {
  Result<CallAnswer> answer = Call(request);
  if (!answer && answer.error().code() == StatusCode::kStoreNotFound) {
    return std::optional<CallAnswer>();
  }
  if (!answer) return Fail(answer.error());
  JsonTape tape;
  if (!tape.Parse(answer->output)) return Fail(Status::Internal("the answer is not JSON"));
  if (SnapshotOf(tape) == snapshot_) return std::optional(std::move(*answer));
  position_.reset();
  return std::optional<CallAnswer>();
}

Result<std::vector<std::string>> FollowedStore::Differences(ShadowRows& rows) {
  std::unordered_map<std::string, std::string> stored;  // the source of each document
  for (std::string after;;) {
    RECALL_ASSIGN(const CallAnswer answer,
                  Call(Query("FROM doc FILTER doc.path > " + QuotedText(after) +
                             " ORDER BY doc.path ASC LIMIT " + std::to_string(kPageOfList) +
                             " SELECT doc.path, doc.source")));
    JsonTape tape;
    if (!tape.Parse(answer.output)) return Fail(Status::Internal("the answer is not JSON"));
    size_t count = 0;
    const std::string before = after;
    tape.root()["results"].ForEach([&](TapeValue row) {
      after = row["doc"]["path"].Text();
      if (after != kPositionPath) stored[after] = row["doc"]["source"].Text();
      ++count;
    });
    if (count < kPageOfList || after <= before) break;
  }
  std::vector<std::string> paths;
  RECALL_TRY(rows.ForEach([&](std::string path, std::string stamp) {
    const auto known = stored.find(path);
    const bool is_same = known != stored.end() && known->second == stamp;
    if (known != stored.end()) stored.erase(known);
    if (!is_same) paths.push_back(std::move(path));
  }));
  for (auto& [path, source] : stored) paths.push_back(path);
  return paths;
}

Status FollowedStore::Follow(ShadowRows& rows) {
  RECALL_ASSIGN(const LogPosition end, rows.End());
  RECALL_ASSIGN(const std::optional<LogPosition> from, Position());
  if (from == end) return Status::Ok();
  bool known = false;
  if (from) {
    RECALL_ASSIGN(known, rows.Contains(*from));
  }
  RECALL_ASSIGN(const std::vector<std::string> paths,
                known ? rows.ChangedAfter(from->number) : Differences(rows));
  RECALL_TRY(Apply(paths, rows, end));
  RECALL_ASSIGN(const std::optional<LogPosition> reached, Position());
  return reached == end ? Status::Ok()
                        : Status::Busy("another program writes to '" + directory_ + "'",
                                       "only the table of documents may change this store");
}

Status FollowedStore::Apply(const std::vector<std::string>& paths, ShadowRows& rows,
                            const LogPosition& end) {
  bool between = !position_;
  for (size_t at = 0;;) {
    std::string lines;
    std::vector<std::string> gone;
    for (size_t documents = 0; at < paths.size() && lines.size() < kBatchBytes &&
                               documents < kBatchDocuments && gone.size() < kBatchRemovals;
         ++at) {
      RECALL_ASSIGN(const std::optional<std::string> line, rows.LineOf(paths[at]));
      if (line) {
        lines += *line;
        ++documents;
      } else {
        gone.push_back(paths[at]);
      }
    }
    const bool last = at == paths.size() && lines.size() < kBatchBytes;
    if ((!last || !gone.empty()) && !between) {
      RECALL_TRY(Add(PositionLine(std::nullopt)));
      between = true;
    }
    if (!gone.empty()) RECALL_TRY(Remove(gone));
    if (last) return Add(lines + PositionLine(end));
    RECALL_TRY(Add(lines));
  }
}

Status FollowedStore::Add(const std::string& lines) {
  if (lines.empty()) return Status::Ok();
  return internal::ToStatus(Call(
      {.command = "add", .texts = {{"max_file_size", "4GiB"}}, .lines = std::string_view(lines)}));
}

Status FollowedStore::Remove(const std::vector<std::string>& paths) {
  std::string filter;
  for (const std::string& path : paths) {
    filter += (filter.empty() ? "doc.path IN (" : ", ") + QuotedText(path);
  }
  return internal::ToStatus(Call({.command = "rm", .texts = {{"filter", filter + ")"}}}));
}

void FollowedStore::RemoveFiles() {
  Close();
  for (const char* const name : {"recall.db", "recall.db-wal", "recall.db-shm", "lock"}) {
    ::unlink((directory_ + "/" + name).c_str());
  }
  ::rmdir(directory_.c_str());
}

}  // namespace recall

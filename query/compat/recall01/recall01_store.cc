// Reads a store of recall 0.1 without changing it.
//
// The file may be large, in use or damaged, and nothing in it is trusted. It is opened as
// immutable, so that SQLite takes no lock and writes nothing. An immutable file is only consistent
// if no writer is active: no journal may exist, and the state of the file (inode, size, time) must
// be the same before and after reading. All live rows are copied to a spool, which sorts them. Only
// the tables `doc` and `chunk` are read, and no generated column, because that would evaluate an
// expression of the file.
//
// Cost: one scan of both tables.

#include "query/compat/recall01/recall01_store.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "storage/base/bytes.h"
#include "storage/base/file_times.h"
#include "storage/schema/schema.h"

namespace recall {
namespace {

Status Damaged(const std::string& path, const std::string& what) {
  return Status::Corruption(
      path + ": " + what,
      "export what is readable with the version that created it, and import the export");
}

int64_t SizeOf(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_size : 0;
}

// The ordinary columns of a table. Generated columns are excluded, because reading one would
// evaluate an expression of an untrusted file.
Result<std::set<std::string>> ColumnsOf(Connection& connection, const std::string& table) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0"));
  select.BindText(1, table);
  std::set<std::string> columns;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return columns;
    columns.emplace(select.ColumnText(0));
  }
}

// Reads the rows of both tables into a spool.
class TableReader final {
 public:
  TableReader(std::string path, Connection* connection, Recall01Spool* spool,
              const std::atomic<bool>* cancel)
      : path_(std::move(path)), connection_(connection), spool_(spool), cancel_(cancel) {}

  Status ReadDocuments() {
    row_number_ = 0;
    RECALL_ASSIGN(const std::string columns,
                  SelectList("doc", {"id", "path", "mtime", "hash", "tag", "source", "meta"}));
    RECALL_ASSIGN(Statement row, connection_->Prepare("SELECT " + columns + " FROM doc WHERE " +
                                                      "coalesce(CAST(deleted AS INTEGER), 0) = 0"));
    for (;;) {
      RECALL_ASSIGN(const bool more, Step(row));
      if (!more) return Status::Ok();
      Recall01Document document;
      document.place = row_number_;
      document.id = row.ColumnText(0);
      document.path = row.ColumnText(1);
      document.mtime = row.ColumnText(2);
      document.hash = row.ColumnText(3);
      document.tag = row.ColumnOptionalText(4);
      document.source = row.ColumnOptionalText(5);
      document.meta = row.ColumnOptionalText(6);
      RECALL_TRY(spool_->PutDocument(document));
    }
  }

  Status ReadChunks() {
    row_number_ = 0;
    RECALL_ASSIGN(const std::string columns,
                  SelectList("chunk", {"id", "doc_id", "offset", "tokens", "text", "embedding"}));
    RECALL_ASSIGN(Statement row,
                  connection_->Prepare("SELECT " + columns +
                                       ", typeof(offset) = 'integer' AND offset >= 0"
                                       ", typeof(tokens) = 'integer'"
                                       ", typeof(text) = 'text' AND typeof(embedding) IN "
                                       "('blob', 'null') FROM chunk WHERE "
                                       "coalesce(CAST(deleted AS INTEGER), 0) = 0"));
    for (;;) {
      RECALL_ASSIGN(const bool more, Step(row));
      if (!more) return Status::Ok();
      if (row.ColumnInt(6) == 0 || row.ColumnInt(8) == 0) return OddRow("chunk");
      Recall01Chunk chunk;
      chunk.place = row_number_;
      chunk.id = row.ColumnText(0);
      const std::string doc_id(row.ColumnText(1));
      chunk.offset = static_cast<uint64_t>(row.ColumnInt(2));
      if (row.ColumnInt(7) != 0) chunk.tokens = row.ColumnInt(3);
      chunk.text = row.ColumnText(4);
      chunk.embedding = AsText(row.ColumnBlob(5));
      RECALL_TRY(spool_->PutChunk(doc_id, chunk));
    }
  }

  int64_t rows() const { return rows_; }

 private:
  // Generation A has no doc.meta; the other columns must exist.
  Result<std::string> SelectList(const std::string& table, const std::vector<std::string>& wanted) {
    RECALL_ASSIGN(const auto columns, ColumnsOf(*connection_, table));
    std::string list;
    for (const std::string& name : wanted) {
      if (!list.empty()) list += ", ";
      if (columns.contains(name)) {
        list += name;
      } else if (name == "meta") {
        list += "NULL";
      } else {
        return Fail(Damaged(path_, "table " + table + " has no column " + name));
      }
    }
    if (!columns.contains("deleted")) {
      return Fail(Damaged(path_, "table " + table + " has no column deleted"));
    }
    return list;
  }

  Result<bool> Step(Statement& row) {
    if (cancel_->load(std::memory_order_relaxed)) {
      return Fail(Status::Cancelled("interrupted; there is no new store"));
    }
    ++row_number_;
    ++rows_;
    return row.Step();
  }

  Status OddRow(const std::string& table) const {
    return Damaged(path_, "row " + std::to_string(row_number_) + " of table " + table +
                              " contains values of the wrong type");
  }

  std::string path_;
  Connection* connection_;
  Recall01Spool* spool_;
  const std::atomic<bool>* cancel_;
  int64_t row_number_ = 0;  // number of the row among the live ones of the table, in reading order
  int64_t rows_ = 0;        // rows of both tables
};

}  // namespace

Result<Recall01Store> Recall01Store::Read(const std::string& path, uint64_t max_document_bytes,
                                          const std::atomic<bool>* cancel) {
  Recall01Store store(path);
  if (::stat(path.c_str(), &store.file_) != 0) {
    return Fail(errno == ENOENT || errno == ENOTDIR
                    ? Status::NotFound("no such file: " + path, "specify a store of recall 0.1")
                    : Status::IoError(path + ": cannot read it: " + std::strerror(errno)));
  }
  if (!S_ISREG(store.file_.st_mode)) {
    return Fail(Status::InvalidArgument(path + ": not a file", "specify a store of recall 0.1"));
  }
  std::error_code error;
  store.real_path_ = std::filesystem::canonical(path, error).string();
  RECALL_TRY(store.CheckAtRest());
  RECALL_TRY(store.ReadAll(max_document_bytes, cancel));
  RECALL_TRY(store.CheckUnchanged());
  return store;
}

// Checks that no journal exists. If there is one, rows could be missing or incomplete.
Status Recall01Store::CheckAtRest() const {
  for (const char* suffix : {"-journal", "-wal"}) {
    if (SizeOf(real_path_ + suffix) == 0) continue;
    return Status::Busy(path_ + " is in use or was not closed: found " + real_path_ + suffix,
                        "wait until the program that writes to it has finished; after a crash, "
                        "open it once with that program");
  }
  return Status::Ok();
}

Status Recall01Store::CheckUnchanged() const {
  struct stat now {};
  const bool same = ::stat(path_.c_str(), &now) == 0 && now.st_ino == file_.st_ino &&
                    now.st_size == file_.st_size && ModifiedNanos(now) == ModifiedNanos(file_);
  if (!same) {
    return Status::Busy(path_ + " was changed while it was read",
                        "end the programs that use it and try again");
  }
  return CheckAtRest();
}

Status Recall01Store::ReadAll(uint64_t max_document_bytes, const std::atomic<bool>* cancel) {
  // With `immutable`, SQLite takes no lock and writes nothing, not even a file beside the store.
  RECALL_ASSIGN(const auto connection, Connection::Open(path_, {.mode = ConnectionMode::kReadOnly,
                                                                .immutable = true,
                                                                .enable_mapping = false}));
  RECALL_TRY(ReadIdentity(*connection));
  RECALL_ASSIGN(auto spool, Recall01Spool::Create({path_, false, 0}, max_document_bytes));
  TableReader reader(path_, connection.get(), spool.get(), cancel);
  RECALL_TRY(reader.ReadDocuments());
  RECALL_TRY(reader.ReadChunks());
  ImportWarnings notes;
  RECALL_TRY(spool->Sort(&notes));
  source_ = std::make_unique<Recall01Source>(std::move(spool), std::move(notes), reader.rows());
  return Status::Ok();
}

Status Recall01Store::ReadIdentity(Connection& connection) {
  RECALL_ASSIGN(const int64_t id, connection.QueryInt("PRAGMA application_id"));
  if (id == kStoreApplicationId) {
    return Status::AlreadyExists(path_ + " is already a store of this version",
                                 "it does not need to be migrated");
  }
  RECALL_ASSIGN(const bool published, IsRecall01Store(connection));
  if (!published) {
    return Status::Corruption(path_ + ": the file is not a recall store",
                              "specify a store of recall 0.1");
  }
  RECALL_ASSIGN(const int64_t has_meta,
                connection.QueryInt("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
                                    "name = 'meta' AND rootpage > 0"));
  if (has_meta != 0) return ReadMeta(connection);
  generation_ = "recall 0.1, generation A (no schema version)";
  // The store does not record its embedder. The default of that version was "hash".
  embedder_ = "hash";
  RECALL_ASSIGN(const int64_t bytes,
                connection.QueryInt("SELECT coalesce((SELECT length(embedding) FROM chunk WHERE "
                                    "typeof(embedding) = 'blob' LIMIT 1), 0)"));
  dim_ = static_cast<uint32_t>(bytes / static_cast<int64_t>(sizeof(float)));
  return Status::Ok();
}

Status Recall01Store::ReadMeta(Connection& connection) {
  RECALL_ASSIGN(const auto columns, ColumnsOf(connection, "meta"));
  if (!columns.contains("key") || !columns.contains("value")) {
    return Damaged(path_, "table meta does not have the columns key and value");
  }
  std::map<std::string, std::string> values;
  RECALL_ASSIGN(Statement row, connection.Prepare("SELECT key, value FROM meta WHERE key IN "
                                                  "('schema_version', 'embedding', "
                                                  "'embedding_dim')"));
  for (;;) {
    RECALL_ASSIGN(const bool more, row.Step());
    if (!more) break;
    values[std::string(row.ColumnText(0))] = row.ColumnText(1);
  }
  const std::string& version = values["schema_version"];
  if (version != "1" && version != "2") {
    return Status::Unsupported(
        path_ + ": schema version '" + version.substr(0, 40) + "' of recall 0.1 is not known",
        "export it with the version that created it, and import the export");
  }
  generation_ = version == "1" ? "recall 0.1, generation B (schema version 1)"
                               : "recall 0.1, generation C (schema version 2)";
  embedder_ = values["embedding"];
  const std::string& dim = values["embedding_dim"];
  std::from_chars(dim.data(), dim.data() + dim.size(), dim_);
  return Status::Ok();
}

}  // namespace recall

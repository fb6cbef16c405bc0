// Reads a database of Rekall, or its export as JSON.
//
// The database is not trusted and not changed. It is opened as immutable, so that SQLite takes no
// lock and writes nothing; such a file is only consistent if no writer is active, so no journal may
// exist and the file must be the same before and after. Only ordinary tables are read, and no
// virtual table and no view: those could run what the file says. A row becomes a JSON object, as an
// element of the export is one, and both become notes in the same way (rekall_entry.cc).

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>

#include "index/source/extract/container/zlib_stream.h"
#include "query/add/records/json_record.h"
#include "query/compat/memories/foreign_card.h"
#include "query/compat/memories/readers.h"
#include "query/compat/rekall/json_elements.h"
#include "query/compat/rekall/rekall_entry.h"
#include "storage/base/bytes.h"
#include "storage/base/file_times.h"
#include "storage/file_io/input_file.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSqliteMagic = "SQLite format 3";
constexpr size_t kMostContextBytes = 16 << 20;
constexpr const char* kHint = "specify a database of Rekall or the output of `rekall export`";

// ---- The database -------------------------------------------------------------------------------

struct Column {
  std::string name;
  bool is_context = false;  // compressed by zlib
};

std::string QuotedName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

class DatabaseReader final {
 public:
  DatabaseReader(const std::string& path, const ForeignOptions& options, ForeignMemory* memory)
      : path_(path), options_(options), memory_(memory) {}

  Status Read() {
    RECALL_TRY(CheckAtRest(&before_));
    RECALL_ASSIGN(connection_, Connection::Open(path_, {.mode = ConnectionMode::kReadOnly,
                                                        .immutable = true,
                                                        .enable_mapping = false,
                                                        .virtual_tables = false}));
    RECALL_TRY(ReadTables());
    struct stat after {};
    RECALL_TRY(CheckAtRest(&after));
    const bool same = after.st_ino == before_.st_ino && after.st_size == before_.st_size &&
                      ModifiedNanos(after) == ModifiedNanos(before_);
    return same ? Status::Ok() : InUse("it was changed while it was read");
  }

 private:
  Status InUse(const std::string& why) const {
    return Status::Busy(path_ + " is in use: " + why, "end the programs that use it and try again");
  }

  Status CheckAtRest(struct stat* info) const {
    if (::stat(path_.c_str(), info) != 0) {
      return Status::IoError(path_ + ": cannot read it: " + std::strerror(errno));
    }
    for (const char* suffix : {"-journal", "-wal"}) {
      struct stat beside {};
      if (::stat((path_ + suffix).c_str(), &beside) == 0 && beside.st_size > 0) {
        return InUse("found " + path_ + suffix);
      }
    }
    return Status::Ok();
  }

  Status ReadTables() {
    std::set<std::string> tables;
    RECALL_ASSIGN(Statement select,
                  connection_->Prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND "
                                       "rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"));
    for (;;) {
      RECALL_ASSIGN(const bool row, select.Step());
      if (!row) break;
      tables.emplace(select.ColumnText(0));
    }
    if (!tables.contains("entries")) {
      return Status::InvalidArgument(path_ + " is not a database of Rekall: no table entries",
                                     kHint);
    }
    RECALL_TRY(ReadLists(tables));
    std::vector<RekallLink> links;
    RECALL_TRY(ReadEntries(&links));
    for (const char* table : {"links", "entry_links"}) {
      if (!tables.contains(table)) continue;
      RECALL_TRY(ForEachRow(table, [&](Json row) {
        if (auto link = RekallLinkOf(std::move(row), memory_)) links.push_back(*std::move(link));
        return Status::Ok();
      }));
    }
    FinishRekallMemory(std::move(links), memory_);
    return CountTheRest(tables);
  }

  // Reads the tables with some rows for each entry.
  Status ReadLists(const std::set<std::string>& tables) {
    struct Source {
      const char* table;
      const char* field;  // of the entry
      std::string_view column;
    };
    for (const auto& [table, field, column] :
         {Source{"tags", "tags", "tag"}, Source{"entry_tags", "tags", "tag"},
          Source{"context_keywords", "context_keywords", "keyword"}}) {
      if (!tables.contains(table)) continue;
      RECALL_TRY(ForEachRow(table, [&, field = field, column = column](Json row) {
        CardFields fields(std::move(row));
        const auto entry = fields.Text({"entry_id"});
        const auto value = fields.Text({column});
        if (entry && value) lists_[*entry][field].push_back(*value);
        return Status::Ok();
      }));
    }
    if (!tables.contains("entry_sources")) return Status::Ok();
    return ForEachRow("entry_sources", [&](Json row) {
      CardFields fields(std::move(row));
      const auto entry = fields.Text({"entry_id"});
      fields.Any({"id"});
      Json source = Json::object();
      for (const auto& [name, value] : fields.Rest()) source[name] = Json::parse(value);
      if (entry && !source.empty()) lists_[*entry]["sources"].push_back(std::move(source));
      return Status::Ok();
    });
  }

  Status ReadEntries(std::vector<RekallLink>* links) {
    int64_t number = 0;
    return ForEachRow("entries", [&](Json row) -> Status {
      const SourcePlace place{path_, false, ++number};
      if (const auto lists = lists_.find(
              row.value("id", Json()).is_string() ? row["id"].get<std::string>() : std::string());
          lists != lists_.end()) {
        for (auto& [field, list] : lists->second) {
          if (!row.contains(field) || row[field].is_null()) row[field] = std::move(list);
        }
      }
      RECALL_ASSIGN(ForeignNote note, NoteOfRekallEntry(std::move(row), place, memory_, links));
      memory_->notes.push_back(std::move(note));
      return Status::Ok();
    });
  }

  // Counts the rows that have no place here.
  Status CountTheRest(const std::set<std::string>& tables) {
    const std::set<std::string_view> read = {"entries",      "links",      "entry_links",
                                             "tags",         "entry_tags", "context_keywords",
                                             "entry_sources"};
    for (const std::string& table : tables) {
      // The tables of the full-text index repeat the entries.
      if (read.contains(table) || table.starts_with("entries_fts")) continue;
      auto count = connection_->QueryInt("SELECT count(*) FROM " + QuotedName(table));
      if (!count || *count == 0) continue;
      const bool vectors = table.starts_with("embedding") || table.starts_with("vec_");
      memory_->dropped[vectors ? "vectors (computed here)" : "rows of table " + table] += *count;
    }
    return Status::Ok();
  }

  Result<std::vector<Column>> ColumnsOf(const std::string& table) {
    // No generated columns: reading one would evaluate an expression of the file.
    RECALL_ASSIGN(Statement select,
                  connection_->Prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0"));
    select.BindText(1, table);
    std::vector<Column> columns;
    for (;;) {
      RECALL_ASSIGN(const bool row, select.Step());
      if (!row) return columns;
      Column column{std::string(select.ColumnText(0))};
      column.is_context = column.name == "context_blob" || column.name == "context_compressed";
      columns.push_back(std::move(column));
    }
  }

  // Calls `use` with each row, as an object.
  Status ForEachRow(const std::string& table, const std::function<Status(Json row)>& use) {
    RECALL_ASSIGN(const auto columns, ColumnsOf(table));
    if (columns.empty()) return Status::Ok();
    std::string list;
    for (const Column& column : columns) {
      if (!list.empty()) list += ", ";
      list += QuotedName(column.name);
    }
    RECALL_ASSIGN(Statement row,
                  connection_->Prepare("SELECT " + list + " FROM " + QuotedName(table)));
    for (;;) {
      if (options_.cancel->load(std::memory_order_relaxed)) {
        return Status::Cancelled("interrupted");
      }
      RECALL_ASSIGN(const bool more, row.Step());
      if (!more) return Status::Ok();
      ++memory_->lines;
      Json object = Json::object();
      for (size_t i = 0; i < columns.size(); ++i) {
        RECALL_ASSIGN(Json value, ValueOf(row, static_cast<int>(i), table, columns[i]));
        object[columns[i].name] = std::move(value);
      }
      RECALL_TRY(use(std::move(object)));
    }
  }

  Result<Json> ValueOf(const Statement& row, int index, const std::string& table,
                       const Column& column) {
    if (row.ColumnIsNull(index)) return Json();
    if (row.ColumnIsInteger(index)) return Json(row.ColumnInt(index));
    if (row.ColumnIsBlob(index)) return BlobOf(AsText(row.ColumnBlob(index)), table, column);
    if (!row.ColumnIsText(index)) return Json(row.ColumnDouble(index));
    return TextOf(row.ColumnText(index));
  }

  Result<Json> TextOf(std::string_view text) {
    bytes_ += text.size();
    if (text.size() > options_.max_document_bytes || bytes_ > kMostForeignBytes) {
      return Fail(Status::LimitExceeded(path_ + ": its texts are larger than 1 GiB, or one is "
                                                "larger than the limit of a document"));
    }
    bool repaired = false;
    Json value = RepairedText(text, &repaired);
    if (repaired) ++memory_->dropped[kRepairedTexts];
    return value;
  }

  Result<Json> BlobOf(std::string_view blob, const std::string& table, const Column& column) {
    if (column.is_context) {
      if (auto text = InflateZlib(blob, kMostContextBytes)) return TextOf(*text);
      ++memory_->dropped["contexts that could not be decompressed"];
      return Json();
    }
    ++memory_->dropped["binary values of " + table + "." + column.name];
    return Json();
  }

  std::string path_;
  const ForeignOptions& options_;
  ForeignMemory* memory_;
  struct stat before_ {};
  std::unique_ptr<Connection> connection_;
  std::map<std::string, std::map<std::string, Json>> lists_;  // by entry and field
  uint64_t bytes_ = 0;
};

// ---- The export ---------------------------------------------------------------------------------

class ExportReader final {
 public:
  ExportReader(std::string file, const ForeignOptions& options, ForeignMemory* memory)
      : file_(std::move(file)), options_(options), memory_(memory) {}

  Status Read(std::string_view text) {
    RECALL_ASSIGN(const auto elements, Split(text, 1));
    const bool is_object = text.find_first_not_of(" \t\r\n") != text.npos &&
                           text[text.find_first_not_of(" \t\r\n")] == '{';
    std::vector<RekallLink> links;
    if (is_object) {
      RECALL_TRY(ReadMembers(elements, &links));
    } else {
      RECALL_TRY(ReadEntries(elements, &links));
    }
    FinishRekallMemory(std::move(links), memory_);
    return Status::Ok();
  }

 private:
  Result<std::vector<JsonElement>> Split(std::string_view text, int64_t line) const {
    auto elements = SplitJson(text, line);
    if (elements) return elements;
    return Fail(elements.error().WithContext(file_).WithHint(kHint));
  }

  Status ReadMembers(const std::vector<JsonElement>& members, std::vector<RekallLink>* links) {
    bool found = false;
    for (const JsonElement& member : members) {
      if (member.name == "entries") {
        found = true;
        RECALL_ASSIGN(const auto entries, Split(member.value, member.line));
        RECALL_TRY(ReadEntries(entries, links));
      } else if (member.name == "links") {
        RECALL_ASSIGN(const auto rows, Split(member.value, member.line));
        for (const JsonElement& row : rows) {
          RECALL_ASSIGN(Json object, ObjectOf(row));
          if (auto link = RekallLinkOf(std::move(object), memory_)) {
            links->push_back(*std::move(link));
          }
        }
      } else {
        ++memory_->dropped["member \"" + std::string(member.name.substr(0, 80)) + "\""];
      }
    }
    if (found) return Status::Ok();
    return Status::InvalidArgument(file_ + ": the object has no member \"entries\"", kHint);
  }

  Status ReadEntries(const std::vector<JsonElement>& entries, std::vector<RekallLink>* links) {
    for (const JsonElement& element : entries) {
      if (options_.cancel->load(std::memory_order_relaxed)) {
        return Status::Cancelled("interrupted");
      }
      ++memory_->lines;
      RECALL_ASSIGN(Json object, ObjectOf(element));
      RECALL_ASSIGN(
          ForeignNote note,
          NoteOfRekallEntry(std::move(object), {file_, true, element.line}, memory_, links));
      memory_->notes.push_back(std::move(note));
    }
    return Status::Ok();
  }

  Result<Json> ObjectOf(const JsonElement& element) const {
    if (auto object = ParseJsonObject(element.value)) return *std::move(object);
    const LineRef line{file_, element.line, element.value};
    RECALL_TRY(JsonRecord::Parse(line, {}));  // says where the JSON is invalid
    return Fail(LineFault(line, "the object has too many values or levels"));
  }

  std::string file_;
  const ForeignOptions& options_;
  ForeignMemory* memory_;
};

// The database in a directory of Rekall; the path itself if it is no directory.
Result<std::string> FileOf(const std::string& path) {
  if (path == "-") return path;
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return Fail(Status::NotFound("no such file or directory: " + path, kHint));
  }
  if (!S_ISDIR(info.st_mode)) return path;
  for (const char* name : {"rekall.db", "knowledge.db"}) {
    std::string file = path + (path.ends_with('/') ? "" : "/") + name;
    if (::stat(file.c_str(), &info) == 0) return file;
  }
  return Fail(Status::NotFound(path + " contains neither rekall.db nor knowledge.db", kHint));
}

}  // namespace

Result<ForeignMemory> ReadRekall(const std::string& path, const ForeignOptions& options) {
  ForeignMemory memory;
  RECALL_ASSIGN(const std::string file, FileOf(path));
  RECALL_ASSIGN(const auto input, InputFile::Open(file, options.cancel));
  std::string head(kSqliteMagic.size(), '\0');
  size_t read = 0;
  while (read < head.size()) {
    RECALL_ASSIGN(const size_t more, input->Read(std::span(head).subspan(read)));
    if (more == 0) break;
    read += more;
  }
  head.resize(read);
  if (head == kSqliteMagic) {
    RECALL_TRY(DatabaseReader(file, options, &memory).Read());
    return memory;
  }
  if (head.starts_with("PK")) {
    return Fail(Status::Unsupported(input->name() + ": an archive of Rekall",
                                    "unpack it and import its entries.json"));
  }
  auto rest = ReadAll(*input, std::min(options.max_document_bytes, kMostForeignBytes));
  if (!rest) return Fail(rest.error());
  RECALL_TRY(ExportReader(input->name(), options, &memory).Read(head + *rest));
  return memory;
}

}  // namespace recall

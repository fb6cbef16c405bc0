#include "cli/setup/install/install_record.h"

#include <algorithm>
#include <charconv>

#include "cli/setup/install/jsonc.h"
#include "storage/base/bytes.h"
#include "storage/base/ids.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

void WriteRecord(const InstallRecord& record, JsonWriter& json) {
  json.Field("client", record.client);
  json.Field("file", record.file);
  json.Field("path", record.path);
  json.Field("entries", record.entries);
  // In hexadecimal digits, because the settings file may contain bytes that are not UTF-8.
  json.Field("added", ToHex(AsBytes(record.added.text)));
  json.Field("entry_offset", record.added.entry_offset);
  json.Field("comma", record.added.comma);
  if (record.added.replaced) json.Field("replaced", ToHex(AsBytes(*record.added.replaced)));
  json.Field("made_file", record.made_file);
  json.Field("made_directories", record.made_directories);
  json.Field("backup", record.backup);
  json.Field("before_hash", record.before_hash);
}

// Reads members of the file; what is absent or of another type makes the file invalid.
class RecordReader final {
 public:
  explicit RecordReader(const JsoncValue& object) : object_(object) {}

  bool ok() const { return ok_; }

  std::string Text(std::string_view name) {
    const JsoncValue* const value = Member(name, JsoncValue::Kind::kString);
    return value == nullptr ? "" : value->text;
  }
  std::string Bytes(std::string_view name) {
    const std::optional<std::string> bytes = FromHex(Text(name));
    ok_ = ok_ && bytes;
    return bytes.value_or("");
  }
  bool Flag(std::string_view name) {
    const JsoncValue* const value = Member(name, JsoncValue::Kind::kWord);
    return value != nullptr && value->text == "true";
  }
  size_t Number(std::string_view name) {
    const JsoncValue* const value = Member(name, JsoncValue::Kind::kNumber);
    uint32_t number = 0;
    if (value == nullptr) return 0;
    const char* const end = value->text.data() + value->text.size();
    ok_ = ok_ && std::from_chars(value->text.data(), end, number).ptr == end;
    return number;
  }
  std::vector<std::string> Texts(std::string_view name) {
    std::vector<std::string> texts;
    const JsoncValue* const value = Member(name, JsoncValue::Kind::kArray);
    if (value == nullptr) return texts;
    for (const JsoncMember& item : value->members) {
      ok_ = ok_ && item.value.kind == JsoncValue::Kind::kString;
      texts.push_back(item.value.text);
    }
    return texts;
  }
  const JsoncValue* Member(std::string_view name, JsoncValue::Kind kind) {
    const JsoncMember* const member = object_.Find(name);
    if (member != nullptr && member->value.kind == kind) return &member->value;
    ok_ = false;
    return nullptr;
  }

 private:
  const JsoncValue& object_;
  bool ok_ = true;
};

std::optional<InstallRecord> ReadRecord(const JsoncValue& object) {
  RecordReader reader(object);
  InstallRecord record;
  record.client = reader.Text("client");
  record.file = reader.Text("file");
  record.path = reader.Texts("path");
  record.entries = reader.Texts("entries");
  record.added.text = reader.Bytes("added");
  record.added.entry_offset = reader.Number("entry_offset");
  record.added.comma = reader.Flag("comma");
  if (object.Find("replaced") != nullptr) record.added.replaced = reader.Bytes("replaced");
  record.made_file = reader.Flag("made_file");
  record.made_directories = reader.Texts("made_directories");
  record.backup = reader.Text("backup");
  record.before_hash = reader.Text("before_hash");
  if (!reader.ok() || record.path.empty()) return std::nullopt;
  return record;
}

Status BadRecords() {
  return Status::InvalidArgument("it is not a list of what `recall install` did",
                                 "remove the file; `recall uninstall` then needs --force");
}

}  // namespace

const InstallRecord* InstallRecords::Find(const std::string& client,
                                          const std::string& file) const {
  const auto found = std::ranges::find_if(
      records, [&](const InstallRecord& r) { return r.client == client && r.file == file; });
  return found == records.end() ? nullptr : &*found;
}

const InstallRecord* InstallRecords::Find(const std::string& client, const std::string& file,
                                          const EntryPath& path) const {
  const auto found = std::ranges::find_if(records, [&](const InstallRecord& r) {
    return r.client == client && r.file == file && r.path == path;
  });
  return found == records.end() ? nullptr : &*found;
}

const InstallRecord* InstallRecords::FindOther(const std::string& client, const std::string& file,
                                               const EntryPath& path) const {
  const auto found = std::ranges::find_if(records, [&](const InstallRecord& r) {
    return r.client != client && r.file == file && r.path == path;
  });
  return found == records.end() ? nullptr : &*found;
}

void InstallRecords::Put(InstallRecord record) {
  Remove(record.client, record.file, record.path);
  records.push_back(std::move(record));
}

void InstallRecords::Remove(const std::string& client, const std::string& file,
                            const EntryPath& path) {
  std::erase_if(records, [&](const InstallRecord& r) {
    return r.client == client && r.file == file && r.path == path;
  });
}

std::string PrintRecords(const InstallRecords& records) {
  std::string text;
  JsonWriter json(&text, JsonWriter::Layout::kPretty);
  json.BeginObject();
  json.Field("version", 1);
  json.Field("made_directories", records.made_directories);
  json.Objects("installed", records.records,
               [&](const InstallRecord& record) { WriteRecord(record, json); });
  json.EndObject();
  json.EndLine();
  return text;
}

Result<InstallRecords> ParseRecords(std::string_view text) {
  InstallRecords records;
  RECALL_ASSIGN(const std::optional<JsoncValue> root, ParseJsonc(text));
  if (!root) return Fail(BadRecords());
  RecordReader reader(*root);
  records.made_directories = reader.Texts("made_directories");
  const JsoncValue* const installed = reader.Member("installed", JsoncValue::Kind::kArray);
  if (!reader.ok()) return Fail(BadRecords());
  for (const JsoncMember& item : installed->members) {
    std::optional<InstallRecord> record = ReadRecord(item.value);
    if (!record) return Fail(BadRecords());
    records.records.push_back(std::move(*record));
  }
  return records;
}

}  // namespace recall

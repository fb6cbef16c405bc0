#include "cli/setup/install/server_entry.h"

#include <algorithm>

#include "storage/base/json_writer.h"

namespace recall {
namespace {

void WriteEntry(const ServerEntry& entry, JsonWriter& json);

void WriteFieldValue(const EntryField& field, JsonWriter& json) {
  if (const auto* number = std::get_if<int64_t>(&field.value)) {
    return json.Field(field.name, "number " + std::to_string(*number));
  }
  if (const auto* items = std::get_if<std::vector<ServerEntry>>(&field.value)) {
    json.Key(field.name);
    json.BeginArray();
    for (const ServerEntry& item : *items) WriteEntry(item, json);
    return json.EndArray();
  }
  if (const auto* flag = std::get_if<bool>(&field.value)) return json.Field(field.name, *flag);
  if (const auto* word = std::get_if<std::string>(&field.value)) {
    return json.Field(field.name, *word);
  }
  json.Field(field.name, std::get<std::vector<std::string>>(field.value));
}

void WriteEntry(const ServerEntry& entry, JsonWriter& json) {
  std::vector<const EntryField*> fields;
  for (const EntryField& field : entry) fields.push_back(&field);
  std::ranges::sort(fields, {}, &EntryField::name);
  json.BeginObject();
  for (const EntryField* field : fields) WriteFieldValue(*field, json);
  json.EndObject();
}

}  // namespace

std::string CanonicalEntry(const ServerEntry& entry) {
  std::string text;
  JsonWriter json(&text);
  WriteEntry(entry, json);
  return text;
}

}  // namespace recall

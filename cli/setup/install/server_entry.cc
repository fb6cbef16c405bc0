#include "cli/setup/install/server_entry.h"

#include <algorithm>

#include "storage/base/json_writer.h"

namespace recall {

std::string CanonicalEntry(const ServerEntry& entry) {
  std::vector<const EntryField*> fields;
  for (const EntryField& field : entry) fields.push_back(&field);
  std::ranges::sort(fields, {}, &EntryField::name);
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  for (const EntryField* field : fields) {
    std::visit([&](const auto& value) { json.Field(field->name, value); }, field->value);
  }
  json.EndObject();
  return text;
}

}  // namespace recall

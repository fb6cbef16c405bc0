#include "query/compat/memories/graph_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "index/source/chunk/front_matter.h"
#include "query/compat/memory_server/observations.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kPartsOfEntity[] = {"type", "title", "summary", "observations"};

std::string TextIn(const Json& card, const char* key) {
  const auto field = card.find(key);
  return field != card.end() && field->is_string() ? field->get<std::string>() : std::string();
}

std::vector<std::string> ObservationsOfNote(std::string_view text, const Json& card) {
  const auto front_matter = FindFrontMatter(text);
  const std::string_view body = text.substr(front_matter ? front_matter->end : 0);
  // An import keeps observations on the card if its list cannot hold them.
  const auto kept = card.find("observations");
  if (kept != card.end() && kept->is_array() &&
      std::ranges::all_of(*kept, [](const Json& item) { return item.is_string(); })) {
    auto texts = kept->get<std::vector<std::string>>();
    if (ObservationsOf(ObservationList(texts)) == ObservationsOf(body)) return texts;
  }
  std::vector<std::string> observations = ObservationsOf(body);
  if (const std::string summary = TextIn(card, "summary"); !summary.empty()) {
    observations.insert(observations.begin(), summary);
  }
  return observations;
}

}  // namespace

std::string EntityLine(std::string_view name, std::string_view text, const Json& card) {
  const std::string type = TextIn(card, "type");
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("type", "entity");
  json.Field("name", name);
  json.Field("entityType", type.empty() ? "note" : type);
  json.Field("observations", ObservationsOfNote(text, card));
  json.EndObject();
  return line + '\n';
}

std::string RelationLine(std::string_view from, std::string_view to, std::string_view relation) {
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("type", "relation");
  json.Field("from", from);
  json.Field("to", to);
  json.Field("relationType", relation);
  json.EndObject();
  return line + '\n';
}

bool IsPartOfEntity(std::string_view key) { return std::ranges::count(kPartsOfEntity, key) > 0; }

}  // namespace recall

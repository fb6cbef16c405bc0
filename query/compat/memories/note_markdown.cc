#include "query/compat/memories/note_markdown.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "index/source/chunk/front_matter.h"
#include "index/source/note/text_links.h"
#include "index/write/ingest/text_file.h"
#include "query/add/records/json_record.h"
#include "query/compat/memories/exported_states.h"
#include "query/compat/memories/vault_files.h"
#include "storage/base/json_tree.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kNotesFolder = "notes/";
constexpr std::string_view kMarkdownSuffix = ".md";

void AppendKey(std::string_view key, const Json& value, std::string* card) {
  card->append(key).append(": ");
  JsonWriter writer(card);
  WriteTree(value, writer);
  *card += '\n';
}

// "- derived_from [[p1]] (seen twice)"
void AppendRelation(const ForeignLink& link, std::string* lines) {
  const std::string id = ExportedIdOf(link.target);
  if (id.find_first_of("[]|#\n\r") != std::string::npos) return;
  lines->append("- ").append(link.relation).append(" [[").append(id).append("]]");
  // Readers take one pair of parentheses for the reason.
  const bool plain =
      !link.reason.empty() && link.reason.find_first_of("()[]\n\r") == std::string::npos;
  if (plain) lines->append(" (").append(link.reason).append(")");
  *lines += '\n';
}

// The lines that are added at the end of a card.
std::string AddedKeys(const ExportedNote& note, const Json& card, std::string_view file) {
  std::string keys;
  Json near = Json::array();
  Json related = Json::array();
  for (const ForeignLink& link : note.links) {
    const std::string id = ExportedIdOf(link.target);
    if (link.near) {
      near.push_back({{"id", id},
                      {"reason", link.reason.empty() ? "near" : link.reason},
                      {"score", link.weight}});
    } else if (link.relation == kRelatedRelation) {
      related.push_back(id);
    }
  }
  if (!near.empty() && !card.contains("related_via")) AppendKey("related_via", near, &keys);
  if (!related.empty() && !card.contains("related")) {
    AppendKey("related", related, &keys);
    AppendKey(kRelatedKey, true, &keys);
  }
  if (ForeignNotePath(StemmedName(file)) != note.path) AppendKey(kPathKey, note.path, &keys);
  if (!note.links.empty()) AppendKey(kLinksKey, LinksToJson(note.links), &keys);
  if (note.uses) AppendKey(kUsesKey, UsesToJson(*note.uses), &keys);
  if (note.review) AppendKey(kReviewKey, ReviewToJson(*note.review), &keys);
  return keys;
}

}  // namespace

std::string ExportedIdOf(std::string_view path) {
  if (path.starts_with(kNotesFolder) && path.ends_with(kMarkdownSuffix) &&
      path.size() > kNotesFolder.size() + kMarkdownSuffix.size()) {
    path.remove_prefix(kNotesFolder.size());
    path.remove_suffix(kMarkdownSuffix.size());
  }
  return std::string(path);
}

std::string StemmedName(std::string_view file) {
  return std::string(file.substr(0, file.size() - kMarkdownSuffix.size()));
}

std::string ExportedFileOf(std::string_view path) {
  const std::string id = ExportedIdOf(path);
  const bool natural = ForeignNotePath(id) == path;
  return (natural ? id : NoteIdOf(path)) + std::string(kMarkdownSuffix);
}

std::string ExportedMarkdown(const ExportedNote& note, std::string_view file) {
  std::string_view front;
  std::string_view body = note.text;
  if (const auto front_matter = FindFrontMatter(note.text)) {
    front = front_matter->body;
    body = body.substr(front_matter->end);
  }
  const ExtractedMetadata metadata = ExtractMetadata(front.empty() ? "" : note.text);
  const Json card =
      (metadata.object ? ParseJsonObject(*metadata.object) : std::nullopt).value_or(Json::object());
  std::string text = "---\n";
  if (!card.contains("id")) AppendKey("id", StemmedName(file), &text);
  if (front.empty()) {
    AppendKey("type", "note", &text);
    AppendKey("title", StemOf(file), &text);
  }
  text += front;
  if (!text.ends_with('\n')) text += '\n';
  text += AddedKeys(note, card, file);
  text += "---\n";
  if (!body.empty() && !body.starts_with('\n')) text += '\n';
  text += body;
  if (note.links.empty()) return text;
  if (!text.ends_with('\n')) text += '\n';
  text.append("\n## Links ").append(kLinksStart).append("\n\n");
  for (const ForeignLink& link : note.links) AppendRelation(link, &text);
  text.append("\n").append(kLinksEnd).append("\n");
  return text;
}

}  // namespace recall

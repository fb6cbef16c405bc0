// The tools of Rekall. Its entries are the notes of the store here. Rekall answers in prose; these
// answers are JSON with the names of its fields.

#include <algorithm>
#include <array>
#include <map>

#include "cli/compat/shapes/compat_shape.h"
#include "cli/compat/tools/compat_tools.h"
#include "cli/server/tools/tool_answers.h"

namespace recall {
namespace {

constexpr double kMostConfidence = 5;
constexpr std::string_view kHelp =
    "Search before you solve a problem and before you add an entry: rekall_search, then "
    "rekall_show for the text. Add what was learnt with rekall_add and its context, link it with "
    "rekall_link. rekall_deprecate retires what is no longer true.";

// Returns: the text, or null if it is empty.
Json TextOrNull(const Json& object, std::string_view name) {
  const std::string text = JsonText(object, name);
  return text.empty() ? Json(nullptr) : Json(text);
}

CompatResult Help(const CompatCall&) { return Json{{"help", kHelp}}; }

CompatResult SearchEntries(const CompatCall& call) {
  const Json& arguments = call.arguments;
  std::string filter;
  for (const auto& [name, field] : std::array<std::pair<const char*, const char*>, 2>{
           {{"type", "doc.type"}, {"project", "doc.scope"}}}) {
    const std::string value = JsonText(arguments, name);
    if (value.empty()) continue;
    filter += (filter.empty() ? "" : " AND ") + std::string(field) + " = " + QuotedForRql(value);
  }
  const Json& limit = JsonMember(arguments, "limit");
  std::vector<std::string> args = {"--shape=rekall", "--view=entries",
                                   "--k=" + (limit.is_null() ? "10" : PrintJson(limit))};
  if (!filter.empty()) args.push_back("--filter=" + filter);
  args.insert(args.end(), {"--", JsonText(arguments, "query")});
  CompatResult found = RunCommand(call.runner, "search", std::move(args));
  if (found) (*found)["hint"] = "rekall_show(id) has the whole entry";
  return found;
}

Json LinkOf(const Json& link) {
  Json named = {{"source_id", CompatId(JsonText(link, "source"))},
                {"target_id", CompatId(JsonText(link, "target"))},
                {"relation_type", JsonText(link, "relation")}};
  if (const Json reason = TextOrNull(link, "reason"); !reason.is_null()) named["reason"] = reason;
  return named;
}

CompatResult LinksAround(const CompatCall& call, const std::string& id, const Json& depth) {
  std::vector<std::string> args = {"--json"};
  if (!depth.is_null()) args.push_back("--depth=" + PrintJson(depth));
  args.insert(args.end(), {"--", id});
  const CompatResult links = RunCommand(call.runner, "links", std::move(args));
  if (!links) return links;
  return JsonMember(*links, "links");
}

Json LinksOf(const Json& graph) {
  Json links = Json::array();
  for (const Json& link : JsonMember(graph, "links")) links.push_back(LinkOf(link));
  return links;
}

CompatResult Show(const CompatCall& call) {
  const auto note = ReadWholeNote(call, JsonText(call.arguments, "id"));
  if (!note) return tl::unexpected(note.error());
  const CompatResult around = LinksAround(call, note->path, nullptr);
  if (!around) return around;
  const Json& card = note->card;
  const Json& confidence = JsonMember(card, "confidence");
  const Json& tags = JsonMember(card, "tags");
  Json shown = {
      {"id", CompatId(note->path)},
      {"type", TextOrNull(card, "type")},
      {"title", TextOrNull(card, "title")},
      {"memory_type", TextOrNull(card, "memory")},
      {"confidence",
       confidence.is_number() ? Json(confidence.get<double>() * kMostConfidence) : Json(nullptr)},
      {"tags", tags.is_array() ? tags : Json::array()},
      {"project", TextOrNull(card, "scope")},
      {"created_at", TextOrNull(card, "created")},
      {"content", note->body},
      {"links", LinksOf(*around)}};
  return shown;
}

// Translates the context of an entry to that of a note: without its members that are null or have a
// place elsewhere, and with the names that a note has.
Json ContextOf(const Json& given) {
  Json context = Json::object();
  for (const auto& [name, value] : given.items()) {
    if (value.is_null() || name == "conversation_excerpt") continue;
    context[name == "files_modified" ? "files" : name] = value;
  }
  return context;
}

CompatResult Add(const CompatCall& call) {
  const Json& arguments = call.arguments;
  const Json& context = JsonMember(arguments, "context");
  std::string text = JsonText(arguments, "content");
  const std::string excerpt = JsonText(context, "conversation_excerpt");
  if (!excerpt.empty()) text += (text.empty() ? "" : "\n\n") + ("## Conversation\n\n" + excerpt);
  std::vector<std::string> args = {"--json"};
  if (!text.empty()) args.push_back("--text=" + text);
  if (context.is_object()) args.push_back("--context=" + PrintJson(ContextOf(context)));
  AddFlag(arguments, "tags", "--tag", &args);
  AddFlag(arguments, "project", "--scope", &args);
  if (const Json& confidence = JsonMember(arguments, "confidence"); !confidence.is_null()) {
    args.push_back("--confidence=" + PrintJson(confidence.get<double>() / kMostConfidence));
  }
  args.insert(args.end(), {"--", JsonText(arguments, "type"), JsonText(arguments, "title")});
  const CompatResult saved = RunCommand(call.runner, "save", std::move(args));
  if (!saved) return saved;
  const Json& save = JsonMember(*saved, "save");
  Json similar = Json::array();
  for (const Json& near : JsonMember(save, "near")) {
    similar.push_back({{"id", CompatId(JsonText(near, "path"))},
                       {"title", JsonMember(near, "title")},
                       {"score", JsonMember(near, "score")}});
  }
  return Json{{"id", CompatId(JsonText(save, "path"))},
              {"type", arguments["type"]},
              {"title", arguments["title"]},
              {"similar", std::move(similar)}};
}

CompatResult LinkEntries(const CompatCall& call) {
  const Json& arguments = call.arguments;
  std::vector<std::string> args = {"--json"};
  AddFlag(arguments, "relation_type", "--as", &args);
  AddFlag(arguments, "relation", "--as", &args);
  AddFlag(arguments, "reason", "--reason", &args);
  args.insert(args.end(),
              {"--", JsonText(arguments, "source_id"), JsonText(arguments, "target_id")});
  const CompatResult linked = RunCommand(call.runner, "link", std::move(args));
  if (!linked) return linked;
  return Json{{"links", LinksOf(JsonMember(*linked, "link"))}};
}

CompatResult UnlinkEntries(const CompatCall& call) {
  const CompatResult unlinked = RunCommand(call.runner, "unlink",
                                           {"--json", "--", JsonText(call.arguments, "source_id"),
                                            JsonText(call.arguments, "target_id")});
  if (!unlinked) return unlinked;
  return Json{{"removed", LinksOf(JsonMember(*unlinked, "unlink"))}};
}

CompatResult Related(const CompatCall& call) {
  const CompatResult around =
      LinksAround(call, JsonText(call.arguments, "entry_id"), JsonMember(call.arguments, "depth"));
  if (!around) return around;
  Json entries = Json::array();
  for (const Json& document : JsonMember(*around, "documents")) {
    if (JsonMember(document, "depth") == 0) continue;
    entries.push_back({{"id", CompatId(JsonText(document, "path"))},
                       {"type", TextOrNull(document, "type")},
                       {"title", TextOrNull(document, "title")},
                       {"depth", JsonMember(document, "depth")}});
  }
  return Json{{"entries", std::move(entries)}, {"links", LinksOf(*around)}};
}

CompatResult Similar(const CompatCall& call) {
  const Json& limit = JsonMember(call.arguments, "limit");
  const CompatResult found =
      RunCommand(call.runner, "similar",
                 {"--json", "--view=entries", "--k=" + (limit.is_null() ? "5" : PrintJson(limit)),
                  "--", JsonText(call.arguments, "entry_id")});
  if (!found) return found;
  Json entries = Json::array();
  for (const Json& hit : JsonMember(*found, "results")) {
    const Json& doc = JsonMember(hit, "doc");
    entries.push_back({{"id", CompatId(JsonText(doc, "path"))},
                       {"type", TextOrNull(doc, "type")},
                       {"title", TextOrNull(doc, "title")},
                       {"score", JsonMember(hit, "score")}});
  }
  return Json{{"entries", std::move(entries)}};
}

// Counts notes by a field. The greatest number is first.
Json CountsOf(std::span<const Json> rows, std::string_view field) {
  std::map<std::string, int64_t> counts;
  for (const Json& row : rows) {
    const std::string value = JsonText(row, field);
    if (!value.empty()) ++counts[value];
  }
  std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           &std::pair<std::string, int64_t>::second);
  Json result = Json::object();
  for (const auto& [value, count] : sorted) result[value] = count;
  return result;
}

CompatResult Info(const CompatCall& call) {
  const CommandOutput output = call.runner.Run(
      "query",
      {"--lean", "--",
       "SELECT doc.meta.type, doc.meta.scope FROM doc FILTER doc.kind = 'note' LIMIT 1000000000"});
  if (!output.ok()) return tl::unexpected(FaultOf(output));
  std::vector<Json> rows = ParseLines(output.text);
  if (!rows.empty()) rows.pop_back();  // the totals
  return Json{{"entries", rows.size()},
              {"by_type", CountsOf(rows, "doc.meta.type")},
              {"by_project", CountsOf(rows, "doc.meta.scope")}};
}

CompatResult Stale(const CompatCall& call) {
  const Json& days = JsonMember(call.arguments, "days");
  const Json& limit = JsonMember(call.arguments, "limit");
  const CompatResult found = RunCommand(
      call.runner, "stale", {"--json", "--days=" + (days.is_null() ? "90" : PrintJson(days))});
  if (!found) return found;
  const size_t most = limit.is_null() ? 20 : limit.get<size_t>();
  const Json& stale = JsonMember(*found, "stale");
  Json entries = Json::array();
  for (const Json& note : JsonMember(stale, "stale")) {
    if (entries.size() == most) break;
    entries.push_back({{"id", CompatId(JsonText(note, "path"))},
                       {"title", TextOrNull(note, "title")},
                       {"last_accessed", JsonMember(note, "used_at")}});
  }
  return Json{{"entries", std::move(entries)}, {"total", JsonMember(stale, "total")}};
}

CompatResult GetContext(const CompatCall& call) {
  constexpr std::string_view kHeading = "## Context\n";
  Json contexts = Json::object();
  for (const std::string& id : TextsIn(call.arguments, "entry_ids")) {
    const auto note = ReadWholeNote({call.arguments, call.runner}, id);
    if (!note) return tl::unexpected(note.error());
    const size_t at = ("\n" + note->body).rfind("\n" + std::string(kHeading));
    contexts[id] = at == std::string::npos ? Json(nullptr) : Json(note->body.substr(at));
  }
  return Json{{"contexts", std::move(contexts)}};
}

CompatResult Deprecate(const CompatCall& call) {
  std::vector<std::string> args = {"--json"};
  AddFlag(call.arguments, "replaced_by", "--by", &args);
  args.insert(args.end(), {"--", JsonText(call.arguments, "id")});
  const CompatResult retired = RunCommand(call.runner, "retire", std::move(args));
  if (!retired) return retired;
  return Json{{"id", CompatId(JsonText(JsonMember(*retired, "retire"), "path"))},
              {"status", "obsolete"}};
}

CompatResult Delete(const CompatCall& call) {
  if (JsonMember(call.arguments, "confirm") != true) {
    return tl::unexpected(
        InvalidToolArgument("confirm is not true", "rekall_deprecate keeps the entry"));
  }
  const std::string id = JsonText(call.arguments, "id");
  // Fails unless the id is that of a note: `rm` of a directory would remove everything below it.
  const auto note = ReadWholeNote({call.arguments, call.runner}, id);
  if (!note) return tl::unexpected(note.error());
  const CompatResult removed = RunCommand(call.runner, "rm", {"--json", "--", note->path});
  if (!removed) return removed;
  return Json{{"id", CompatId(note->path)}, {"deleted", true}};
}

constexpr std::string_view kSearchHelp =
    "Search the entries: id, title, score, snippet. Read one with rekall_show.";
constexpr std::string_view kSearchInput =
    "query*: text; context: text; type: text; project: text; limit: integer 1.. 'by default 10'";
constexpr std::string_view kShowHelp = "Read an entry with its links.";
constexpr std::string_view kAddHelp =
    "Add what was learnt. Call it after a bug was solved, a decision made, a pattern found.";
// The documents of the program name tools that it does not have, and that need no context.
constexpr std::string_view kAddInputOfDocuments =
    "type*: text; title*: text; content: text; "
    "context: {situation: text; solution: text; trigger_keywords: [text]; what_failed: text; "
    "conversation_excerpt: text; files_modified: [text]; error_messages: [text]}; "
    "tags: [text]; project: text; confidence: integer 0..5";

constexpr CompatTool kRekallTools[] = {
    {"rekall_help", ToolEffect::kReads, "How to use these tools.", "topic: text", "", "", &Help},
    {"rekall_search", ToolEffect::kReads, kSearchHelp, kSearchInput, "", "", &SearchEntries},
    {"rekall_show", ToolEffect::kReads, kShowHelp, "id*: text", "", "", &Show},
    {"rekall_related", ToolEffect::kReads, "What an entry is linked to, in both directions.",
     "entry_id*: text; depth: integer 1..3", "", "", &Related},
    {"rekall_similar", ToolEffect::kReads, "The entries that are most like this one.",
     "entry_id*: text; limit: integer 1.. 'by default 5'", "", "", &Similar},
    {"rekall_get_context", ToolEffect::kReads, "In which situations entries were taken.",
     "entry_ids*: [text]", "", "", &GetContext},
    {"rekall_info", ToolEffect::kReads, "How many entries there are, by type and project.", "", "",
     "", &Info},
    {"rekall_stale", ToolEffect::kReads, "Entries that nobody used or changed for long.",
     "days: integer 0.. 'by default 90'; limit: integer 1.. 'by default 20'", "", "", &Stale},
    {"rekall_add", ToolEffect::kAdds, kAddHelp,
     "type*: text 'bug, pattern, decision, pitfall, config, reference, ...'; title*: text; "
     "content: text 'Markdown'; context*: {situation*: text; solution*: text; "
     "trigger_keywords*: [text]; what_failed: text; conversation_excerpt: text; "
     "files_modified: [text]; error_messages: [text]}; tags: [text]; project: text; "
     "confidence: integer 0..5",
     "", "", &Add},
    {"rekall_link", ToolEffect::kAdds, "Link two entries and say why.",
     "source_id*: text; target_id*: text; "
     "relation_type: text 'related, supersedes, derived_from, contradicts, ...'; reason*: text",
     "", "", &LinkEntries},
    {"rekall_unlink", ToolEffect::kRemoves, "Remove the links from one entry to another.",
     "source_id*: text; target_id*: text", "", "", &UnlinkEntries},
    {"rekall_deprecate", ToolEffect::kAdds, "Mark an entry as obsolete; searches leave it out.",
     "id*: text; replaced_by: text; reason: text", "", "", &Deprecate},
    {"rekall_delete", ToolEffect::kRemoves,
     "Remove an entry. Only for duplicates and errors; else deprecate it.",
     "id*: text; confirm*: flag", "", "", &Delete},
    {"search", ToolEffect::kReads, kSearchHelp, kSearchInput, "", "", &SearchEntries, true},
    {"get_entry", ToolEffect::kReads, kShowHelp, "id*: text", "", "", &Show, true},
    {"rekall_get_entry", ToolEffect::kReads, kShowHelp, "id*: text", "", "", &Show, true},
    {"add_entry", ToolEffect::kAdds, kAddHelp, kAddInputOfDocuments, "", "", &Add, true},
    {"rekall_add_entry", ToolEffect::kAdds, kAddHelp, kAddInputOfDocuments, "", "", &Add, true},
    {"rekall_link_entries", ToolEffect::kAdds, "Link two entries.",
     "source_id*: text; target_id*: text; relation: text; reason: text", "", "", &LinkEntries,
     true},
};

}  // namespace

std::span<const CompatTool> RekallTools() { return kRekallTools; }

}  // namespace recall

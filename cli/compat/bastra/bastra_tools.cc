// The tools of bastra-recall. Its vault of notes is the notes of the store here, and its documents
// are the other documents of the store.

#include <algorithm>
#include <array>

#include "cli/compat/shapes/compat_shape.h"
#include "cli/compat/tools/compat_tools.h"
#include "query/types/note_types.h"

namespace recall {
namespace {

// Adds the condition that a field equals an argument to a filter; nothing if it is not given.
void AddMatch(const Json& arguments, std::string_view name, std::string_view field,
              std::string* filter) {
  const std::string value = JsonText(arguments, name);
  if (value.empty()) return;
  *filter += (filter->empty() ? "" : " AND ") + std::string(field) + " = " + QuotedForRql(value);
}

CompatResult Recall(const CompatCall& call) {
  const Json& arguments = call.arguments;
  std::vector<std::string> args = {"--shape=bastra", "--view=memory"};
  std::string filter;
  AddMatch(arguments, "scope", "doc.scope", &filter);
  AddMatch(arguments, "type", "doc.type", &filter);
  if (!filter.empty()) args.push_back("--filter=" + filter);
  AddFlag(arguments, "k", "--k", &args);
  AddFlag(arguments, "expand_hops", "--hops", &args);
  AddFlag(arguments, "verbosity", "--payload", &args);
  if (const Json& points = JsonMember(arguments, "min_score"); points.is_number()) {
    const double share = std::min(1.0, points.get<double>() / kPointsOfScore);
    args.push_back("--min-score=" + PrintJson(share));
  }
  args.insert(args.end(), {"--", JsonText(arguments, "query")});
  return RunCommand(call.runner, "search", std::move(args));
}

CompatResult FindDocument(const CompatCall& call) {
  std::vector<std::string> args = {"--shape=bastra", "--filter=doc.kind = 'file'",
                                   "--stages=per-document", "--min-score=0", "--payload=full"};
  const Json& k = JsonMember(call.arguments, "k");
  args.push_back("--k=" + (k.is_null() ? "3" : PrintJson(k)));
  args.insert(args.end(), {"--", JsonText(call.arguments, "query")});
  const CompatResult found = RunCommand(call.runner, "search", std::move(args));
  if (!found) return found;
  return Json{{"query", JsonMember(*found, "query")}, {"hits", JsonMember(*found, "hits")}};
}

// Returns: the id and the front matter of a note: all of it if `full`, otherwise the members that
// bastra-recall shows.
Json Frontmatter(const ReadNote& note, bool full) {
  constexpr std::array<std::string_view, 10> kLeanKeys = {
      "title", "type",        "scope",   "summary", "topic_path",
      "tags",  "recall_when", "related", "created", "updated"};
  Json card = {{"id", CompatId(note.path)}};
  if (full) {
    for (const auto& [key, value] : note.card.items()) card[key] = value;
    return card;
  }
  for (const std::string_view key : kLeanKeys) {
    if (note.card.contains(key)) card[std::string(key)] = note.card[std::string(key)];
  }
  return card;
}

// Returns: the body of a note without its section of related notes, which bastra-recall writes.
std::string LeanBody(const CompatCall& call, const ReadNote& note) {
  const CompatResult lean =
      RunCommand(call.runner, "get", {"--json", "--payload=lean", "--", note.path});
  if (!lean) return note.body;
  std::string body = JsonText(JsonMember(*lean, "get"), "text");
  body.erase(0, std::min(body.find_first_not_of('\n'), body.size()));
  return body;
}

CompatResult LoadMemory(const CompatCall& call) {
  const std::string id = JsonText(call.arguments, "id");
  const auto note = ReadWholeNote(call, id);
  if (!note) return tl::unexpected(note.error());
  const bool full = JsonText(call.arguments, "verbosity") == "full";
  return Json{{"id", CompatId(note->path)},
              {"frontmatter", Frontmatter(*note, full)},
              {"body", full ? note->body : LeanBody(call, *note)},
              {"file_path", note->path}};
}

CompatResult ReadDocument(const CompatCall& call) {
  const auto document = ReadWholeNote(call, JsonText(call.arguments, "id"));
  if (!document) return tl::unexpected(document.error());
  const Json& card = document->card;
  const Json& tags = JsonMember(card, "tags");
  const std::string title = JsonText(card, "title");
  return Json{{"id", CompatId(document->path)},
              {"title", title.empty() ? document->path : title},
              {"summary", JsonText(card, "summary")},
              {"tags", tags.is_array() ? tags : Json::array()},
              {"folder_path", JsonMember(card, "folder_path")},
              {"document_category", JsonMember(card, "document_category")},
              {"original_path", JsonMember(card, "original_path")},
              {"linked_file", JsonMember(card, "linked_file") == true},
              {"file_path", document->path},
              {"body", document->body}};
}

// Links a note to those of the argument `related`. Returns: the ids of notes that do not exist.
std::vector<std::string> LinkRelated(const CompatCall& call, const std::string& path) {
  std::vector<std::string> missing;
  for (const std::string& id : TextsIn(call.arguments, "related")) {
    if (!RunCommand(call.runner, "link", {"--json", "--", path, id})) missing.push_back(id);
  }
  return missing;
}

// The arguments of save_memory, and the flags of `save` that stand for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kSaveFlags = {{
    {"summary", "--summary"},
    {"body", "--text"},
    {"topic_path", "--topic"},
    {"tags", "--tag"},
    {"scope", "--scope"},
    {"recall_when", "--when"},
    {"valid_until", "--valid-until"},
    {"expires_after_days", "--expires-after"},
    {"source", "--source"},
    {"confidence", "--confidence"},
    {"id", "--id"},
}};
constexpr std::array<std::string_view, 5> kOtherSaveArguments = {"title", "type", "related",
                                                                 "sensitivity", "overwrite"};

std::vector<std::string> SaveArgs(const Json& arguments) {
  std::vector<std::string> args = {"--json"};
  for (const auto& [name, flag] : kSaveFlags) AddFlag(arguments, name, flag, &args);
  if (JsonText(arguments, "sensitivity") == "private") args.push_back("--private");
  if (JsonMember(arguments, "overwrite") == true) args.push_back("--replace");
  // bastra-recall derives a missing id from the title, and refuses a second note of that title.
  if (JsonText(arguments, "id").empty()) {
    args.push_back("--id=" + NoteIdOf(JsonText(arguments, "title")));
  }
  args.insert(args.end(), {"--", JsonText(arguments, "type"), JsonText(arguments, "title")});
  return args;
}

// The arguments that have a value but no meaning here.
std::vector<std::string> IgnoredArguments(const Json& arguments) {
  std::vector<std::string> ignored;
  for (const auto& [name, value] : arguments.items()) {
    const bool known = std::ranges::any_of(
        kSaveFlags, [&, &key = name](const auto& flag) { return flag.first == key; });
    if (known || value.is_null()) continue;
    if (std::ranges::find(kOtherSaveArguments, name) == kOtherSaveArguments.end()) {
      ignored.push_back(name);
    }
  }
  return ignored;
}

CompatResult SaveMemory(const CompatCall& call) {
  const CompatResult saved = RunCommand(call.runner, "save", SaveArgs(call.arguments));
  if (!saved) return saved;
  const Json& save = JsonMember(*saved, "save");
  const std::string path = JsonText(save, "path");
  Json answer = {{"id", CompatId(path)},
                 {"file_path", path},
                 {"created", JsonMember(save, "replaced") != true}};
  if (JsonMember(save, "summary_cut") == true) {
    answer["summary_note"] = "the summary was cut to 400 characters";
  }
  const std::vector<std::string> ignored = IgnoredArguments(call.arguments);
  if (!ignored.empty()) answer["ignored"] = ignored;
  const std::vector<std::string> missing = LinkRelated(call, path);
  if (!missing.empty()) answer["related_missing"] = missing;
  return answer;
}

constexpr CompatTool kBastraTools[] = {
    {"recall", ToolEffect::kReads,
     "Search the notes. Returns id, title, type, scope, summary and score: from 100 points on load "
     "the note before you act, below 30 it is noise.",
     "query*: text 'a question, or what you are about to do'; k: integer 1..20 'by default 5'; "
     "scope: text; type: text; expand_hops: integer 0..1 '1: also linked notes'; "
     "verbosity: text(lean|full); min_score: number 0.. 'points, by default 30'",
     "", "", &Recall},
    {"load_memory", ToolEffect::kReads, "Read a note by its id.",
     "id*: text; verbosity: text(lean|full)", "", "", &LoadMemory},
    {"save_memory", ToolEffect::kAdds,
     "Save what was learnt, decided or is to be remembered. Recall first: update a note "
     "(overwrite) instead of saving it twice.",
     "title*: text; type*: text 'lesson, preference, project-fact, meta-working, decision, "
     "workflow, ...'; summary*: text 'one sentence, at most 400 characters'; "
     "body*: text 'Markdown; [[id]] links'; topic_path*: [text]; tags*: [text]; scope*: text; "
     "recall_when*: [text] 'situations in which the note is wanted'; related: [text]; "
     "sensitivity: text(private|team|public); valid_until: text; expires_after_days: integer 1..; "
     "source: text; confidence: number 0..1; id: text; overwrite: flag",
     "", "", &SaveMemory},
    {"find_document", ToolEffect::kReads, "Search the documents that are no notes.",
     "query*: text; k: integer 1..5 'by default 3'", "", "", &FindDocument},
    {"read_document", ToolEffect::kReads, "Read a document by its id.", "id*: text", "", "",
     &ReadDocument},
};

}  // namespace

std::span<const CompatTool> BastraTools() { return kBastraTools; }

}  // namespace recall

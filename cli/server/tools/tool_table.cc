// The table of tools, the names that models guess for their parameters, and their JSON Schemas.
//
// Every assistant reads all descriptions at the start of each conversation, so they are short:
// those of the usual tools that read stay within 1,500 tokens together, which a test holds; what
// few need is offered on request. The schemas use only what all clients
// understand: one type for a property, no references, no unions.

#include "cli/server/tools/tool_table.h"

#include <algorithm>
#include <array>

namespace recall {
namespace {

using Type = ParameterType;

constexpr ToolParameter kQueryText = {"query", Type::kText, true, "",
                                      "words; \"phrase\", +must, -not, prefix*"};
constexpr ToolParameter kCount = {"k", Type::kInteger, false, "-k", "results (8)"};
constexpr ToolParameter kFilter = {
    "filter", Type::kText, false, "--filter",
    "doc.path GLOB 'src/**' AND doc.tag = 'x' AND doc.mtime >= '-7d'"};
constexpr ToolParameter kMinScore = {"min_score", Type::kNumber, false, "--min-score", "0 to 1"};
constexpr ToolParameter kFields = {"fields", Type::kNames, false, "--fields",
                                   "path,lines,score,snippet,text,doc.tag,..."};
constexpr ToolParameter kBudget = {"budget_tokens", Type::kInteger, false, "",
                                   "most tokens of the answer"};
constexpr ToolParameter kCursor = {"cursor", Type::kText, false, "",
                                   "of the previous answer, for the rest; same arguments"};
constexpr ToolParameter kTarget = {"target", Type::kText, true, "",
                                   "path, path:9-17, path@hash:9-17 or id"};
constexpr ToolParameter kTargets = {
    "target", Type::kTexts, true, "",
    "path, path:9-17, path@hash:9-17 or id; an array reads several"};

constexpr ToolParameter kView = {"view", Type::kText, false, "--view",
                                 "memory: notes; sessions: conversations"};
constexpr ToolParameter kHops = {"hops", Type::kInteger, false, "--hops",
                                 "1: also what the links of the best lead to"};

constexpr std::array kSearchParameters = {
    kQueryText,
    kCount,
    kFilter,
    kView,
    kHops,
    kMinScore,
    kFields,
    ToolParameter{"payload", Type::kText, false, "--payload",
                  "lean: which documents; full: all evidence"},
    kBudget,
    kCursor};
constexpr std::array kContextParameters = {
    kQueryText,
    kBudget,
    kFilter,
    kView,
    kHops,
    kMinScore,
    ToolParameter{"expand", Type::kInteger, false, "--expand", "neighbouring sentences (0)"}};
constexpr std::array kGetParameters = {
    kTargets,
    ToolParameter{"lines", Type::kText, false, "", "9-17"},
    ToolParameter{"snapshot", Type::kText, false, "--snapshot", "of an earlier answer"},
    ToolParameter{"payload", Type::kText, false, "", "lean: without what only maintenance needs"},
    ToolParameter{"turns", Type::kText, false, "", "of a session: 10:5"},
    ToolParameter{"role", Type::kText, false, "", "of turns: human, assistant"},
    kBudget,
    kCursor};
constexpr std::array kSimilarParameters = {kTarget, kCount, kFilter, kFields, kBudget, kCursor};
constexpr std::array kRqlParameters = {
    ToolParameter{
        "rql", Type::kText, true, "",
        "SELECT doc.path, score FROM chunk USING hybrid('x') FILTER doc.tag = 'y' LIMIT 9; "
        "see recall://guide/rql"},
    kBudget, kCursor};
constexpr ToolParameter kFilterAsAbove = {"filter", Type::kText, false, "--filter", "as in search"};
constexpr ToolParameter kRowCount = {"k", Type::kInteger, false, "-k", "results (100)"};
constexpr std::array kGrepParameters = {
    ToolParameter{"pattern", Type::kText, true, "", "RE2 expression, matched with each line"},
    ToolParameter{"paths", Type::kTexts, false, "", "documents, directories or globs"},
    ToolParameter{"literal", Type::kBool, false, "-F", "pattern is plain text"},
    ToolParameter{"ignore_case", Type::kBool, false, "-i", ""},
    ToolParameter{"whole_words", Type::kBool, false, "-w", ""},
    kRowCount,
    kFilterAsAbove,
    kBudget,
    kCursor};
constexpr std::array kSymbolsParameters = {
    ToolParameter{"name", Type::kText, true, "", "Commit, Store::Commit, Comm*, src/store.cc:40"},
    ToolParameter{"relation", Type::kText, false, "",
                  "references, callers or callees; omit for definitions"},
    ToolParameter{"kind", Type::kText, false, "--kind", "function, method, class, ..."},
    kRowCount,
    kFilterAsAbove,
    kBudget,
    kCursor};
constexpr std::array kMapParameters = {
    ToolParameter{"paths", Type::kTexts, false, "", ""},
    ToolParameter{"about", Type::kText, false, "--about", "prefer what this question needs"},
    kBudget, kFilterAsAbove};
constexpr std::array kAddParameters = {
    ToolParameter{"paths", Type::kTexts, true, "", "files and directories"},
    ToolParameter{"tag", Type::kText, false, "--tag", "label of the documents"},
    ToolParameter{"sync", Type::kBool, false, "--sync", "remove documents whose files are gone"},
    ToolParameter{"dry_run", Type::kBool, false, "--dry-run", "change nothing"}};
constexpr std::array kRemoveParameters = {
    ToolParameter{"targets", Type::kTexts, true, "", "paths, directories or ids"},
    ToolParameter{"dry_run", Type::kBool, false, "--dry-run", "change nothing"}};

constexpr std::array kLinksParameters = {
    kTarget, ToolParameter{"depth", Type::kInteger, false, "--depth", "1 to 3"},
    ToolParameter{"relation", Type::kText, false, "--as", ""}};
constexpr std::array kSaveParameters = {
    ToolParameter{"type", Type::kText, true, "", "lesson, decision, bug, preference, ..."},
    ToolParameter{"title", Type::kText, true, "", ""},
    ToolParameter{"text", Type::kText, false, "--text", "Markdown; [[id]] links"},
    ToolParameter{"summary", Type::kText, false, "--summary", ""},
    ToolParameter{"when", Type::kTexts, false, "--when", "situations in which to recall it"},
    ToolParameter{"tags", Type::kTexts, false, "--tag", ""},
    ToolParameter{"context", Type::kJson, false, "--context",
                  "JSON: situation, solution, what_failed, trigger_keywords"},
    ToolParameter{"links", Type::kTexts, false, "--link", "relation=target"},
    ToolParameter{"supersedes", Type::kText, false, "--supersedes", "note to retire"},
    ToolParameter{"id", Type::kText, false, "--id", ""},
    ToolParameter{"replace", Type::kBool, false, "--replace", "new version of id"},
    ToolParameter{"unless_near", Type::kNumber, false, "--unless-near", "refuse duplicates, .9"}};
constexpr std::array kLinkParameters = {
    ToolParameter{"source", Type::kText, true, "", ""},
    ToolParameter{"target", Type::kText, true, "", ""},
    ToolParameter{"relation", Type::kText, false, "--as", "related, supports, ..."},
    ToolParameter{"reason", Type::kText, false, "--reason", ""}};
constexpr std::array kUnlinkParameters = {
    ToolParameter{"source", Type::kText, true, "", ""},
    ToolParameter{"target", Type::kText, true, "", ""},
    ToolParameter{"relation", Type::kText, false, "--as", ""}};
constexpr std::array kReviewParameters = {
    ToolParameter{"target", Type::kText, false, "", "omit to list what is due"},
    ToolParameter{"rate", Type::kInteger, false, "--rate", "0 forgotten to 5 at once"},
    ToolParameter{"limit", Type::kInteger, false, "--limit", ""}};
constexpr std::array kRetireParameters = {
    ToolParameter{"target", Type::kText, true, "", ""},
    ToolParameter{"by", Type::kText, false, "--by", "its successor"}};

constexpr std::array kRelatedParameters = {
    ToolParameter{"file", Type::kText, true, "", "a path; it need not be in the store"},
    ToolParameter{"k", Type::kInteger, false, "-k", "results (10)"}, kFilterAsAbove, kBudget,
    kCursor};
constexpr std::array kSuggestParameters = {
    ToolParameter{"kind", Type::kText, false, "--kind", "retire, pattern, link or review"},
    ToolParameter{"k", Type::kInteger, false, "-k", "of each kind (10)"}, kFilterAsAbove, kBudget};
constexpr std::array kSettleParameters = {
    ToolParameter{"accept", Type::kText, false, "--accept", "id: do what it says"},
    ToolParameter{"reject", Type::kText, false, "--reject", "id: do not suggest it again"},
    kFilterAsAbove, ToolParameter{"dry_run", Type::kBool, false, "--dry-run", "change nothing"}};

constexpr std::array<ToolInfo, 20> kTools = {{
    {"search", ToolKind::kLines, false, "query",
     "Find the passages that answer a question. One JSON line per hit (path, lines, hash, score, "
     "heading, snippet), then totals. Read a hit with get.",
     kSearchParameters},
    {"context", ToolKind::kContext, false, "query",
     "Pack the best passages for a question into a token budget, each below its citation.",
     kContextParameters},
    {"get", ToolKind::kGet, false, "target",
     "Read documents, lines or citations. path@hash:9-17 always gives the text that was cited.",
     kGetParameters},
    {"similar", ToolKind::kLines, false, "target",
     "Find passages like a document, lines or a hit. Answers as search.", kSimilarParameters},
    {"grep", ToolKind::kMatches, false, "pattern",
     "Find every line that matches an expression or a literal, by path and line.", kGrepParameters},
    {"symbols", ToolKind::kSymbols, false, "name",
     "Find where source code defines a name, or what uses or calls it.", kSymbolsParameters},
    {"map", ToolKind::kMap, false, "paths",
     "The most important definitions of the code with their signatures.", kMapParameters},
    {"query", ToolKind::kLines, false, "rql",
     "Run an RQL query: exact filters, order, selected fields.", kRqlParameters},
    {"status",
     ToolKind::kStatus,
     false,
     "",
     "What the store contains: counts, snapshot, embedder.",
     {}},
    {"links", ToolKind::kObject, false, "target", "What a document is linked to.",
     kLinksParameters},
    {"related", ToolKind::kChanges, false, "file",
     "The files that change together with a file, by sessions and commits.", kRelatedParameters, "",
     /*on_request=*/true},
    {"suggest", ToolKind::kObject, false, "",
     "Suggest which notes to retire, link or review, and what has a pattern. Each has an id.",
     kSuggestParameters, "",
     /*on_request=*/true},
    {"save", ToolKind::kObject, true, "title",
     "Save a note: what was learnt or decided. Answers with the nearest notes.", kSaveParameters},
    {"link", ToolKind::kObject, true, "source", "Link two documents.", kLinkParameters},
    {"unlink", ToolKind::kObject, true, "source", "Remove links.", kUnlinkParameters},
    {"review", ToolKind::kObject, true, "target",
     "Rate how well a note was remembered, or list what is due.", kReviewParameters},
    {"retire", ToolKind::kObject, true, "target", "Mark a note as obsolete.", kRetireParameters},
    {"add", ToolKind::kObject, true, "paths",
     "Add files to the store, or update them. Files are never changed.", kAddParameters},
    {"rm", ToolKind::kObject, true, "targets",
     "Remove documents from the store. Files are never changed.", kRemoveParameters},
    {"settle", ToolKind::kObject, true, "",
     "Accept or reject one suggestion of suggest. Either accept or reject is needed.",
     kSettleParameters, "suggest",
     /*on_request=*/true},
}};

struct Alias {
  std::string_view name;
  std::string_view parameter;
};
constexpr std::array<Alias, 52> kAliases = {{
    {"q", "query"},
    {"text", "query"},
    {"question", "query"},
    {"search", "query"},
    {"search_query", "query"},
    {"limit", "k"},
    {"n", "k"},
    {"count", "k"},
    {"top_k", "k"},
    {"max_results", "k"},
    {"num_results", "k"},
    {"where", "filter"},
    {"filters", "filter"},
    {"path", "target"},
    {"id", "target"},
    {"uri", "target"},
    {"file", "target"},
    {"citation", "target"},
    {"targets", "target"},
    {"paths", "target"},
    {"line_range", "lines"},
    {"max_tokens", "budget_tokens"},
    {"budget", "budget_tokens"},
    {"token_budget", "budget_tokens"},
    {"tokens", "budget_tokens"},
    {"page_token", "cursor"},
    {"next_cursor", "cursor"},
    {"query", "rql"},
    {"sql", "rql"},
    {"path", "paths"},
    {"file", "paths"},
    {"files", "paths"},
    {"target", "targets"},
    {"path", "targets"},
    {"paths", "targets"},
    {"id", "targets"},
    {"query", "pattern"},
    {"q", "pattern"},
    {"regex", "pattern"},
    {"search", "pattern"},
    {"text", "pattern"},
    {"glob", "paths"},
    {"include", "paths"},
    {"fixed_strings", "literal"},
    {"case_insensitive", "ignore_case"},
    {"word", "whole_words"},
    {"symbol", "name"},
    {"query", "name"},
    {"q", "name"},
    {"target", "name"},
    {"path", "file"},
    {"target", "file"},
}};

const ToolParameter* FindExact(const ToolInfo& tool, std::string_view name) {
  const auto found = std::ranges::find(tool.parameters, name, &ToolParameter::name);
  return found == tool.parameters.end() ? nullptr : &*found;
}

std::string_view TypeName(ParameterType type) {
  switch (type) {
    case Type::kInteger:
      return "integer";
    case Type::kNumber:
      return "number";
    case Type::kBool:
      return "boolean";
    case Type::kText:
    case Type::kTexts:
    case Type::kNames:
    case Type::kJson:
      break;
  }
  return "string";
}

Json InputSchema(const ToolInfo& tool) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const ToolParameter& parameter : tool.parameters) {
    Json& property = properties[std::string(parameter.name)];
    // A tool that reads takes a text as well as an array; clients know unions of types badly.
    const bool list = parameter.type == Type::kTexts && tool.writes;
    if (list) {
      property = {{"type", "array"}, {"items", {{"type", "string"}}}};
    } else {
      property = {{"type", TypeName(parameter.type)}};
    }
    if (!parameter.help.empty()) property["description"] = parameter.help;
    if (parameter.required) required.push_back(parameter.name);
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

// What all answers of a kind have; further members are allowed.
Json OutputSchema(const ToolInfo& tool) {
  const Json results = {{"type", "array"}, {"items", {{"type", "object"}}}};
  Json schema = {{"type", "object"}, {"properties", Json::object()}};
  const bool has_results = tool.kind == ToolKind::kLines || tool.kind == ToolKind::kMatches ||
                           tool.kind == ToolKind::kSymbols || tool.kind == ToolKind::kChanges ||
                           tool.kind == ToolKind::kGet;
  if (has_results) {
    schema["properties"]["results"] = results;
  } else if (tool.kind == ToolKind::kContext) {
    schema["properties"]["text"] = {{"type", "string"}};
  }
  return schema;
}

}  // namespace

std::span<const ToolInfo> AllTools() { return kTools; }

const ToolParameter* FindParameter(const ToolInfo& tool, std::string_view name) {
  if (const ToolParameter* const exact = FindExact(tool, name)) return exact;
  for (const Alias& alias : kAliases) {
    if (alias.name != name) continue;
    if (const ToolParameter* const meant = FindExact(tool, alias.parameter)) return meant;
  }
  return nullptr;
}

std::string ParameterNames(const ToolInfo& tool) {
  std::string names;
  for (const ToolParameter& parameter : tool.parameters) {
    names += (names.empty() ? "" : ", ") + std::string(parameter.name);
  }
  return names;
}

Json DescribeTool(const ToolInfo& tool, bool structured) {
  Json described = {
      {"name", tool.name}, {"description", tool.help}, {"inputSchema", InputSchema(tool)}};
  if (structured) described["outputSchema"] = OutputSchema(tool);
  Json& annotations = described["annotations"];
  annotations["readOnlyHint"] = !tool.writes;
  if (tool.writes) {
    annotations["destructiveHint"] = tool.name == "rm";
    annotations["idempotentHint"] = true;
  }
  annotations["openWorldHint"] = false;
  return described;
}

}  // namespace recall

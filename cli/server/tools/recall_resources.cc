// Resources of the MCP service: the guide, the figures of the store, and every document.
//
//   recall://guide, recall://guide/SECTION   sections of docs/guide.md
//   recall://stats                           as the tool `status`
//   recall://doc/PATH?lines=9-17&snapshot=T  a document, or lines of it
//
// A URI is looked up in the store alone; it never opens a file.

#include <algorithm>
#include <charconv>

#include "cli/run/reference/guide_sections.h"
#include "cli/run/reference/guide_text.h"
#include "cli/server/tools/recall_service.h"
#include "cli/server/tools/resource_uri.h"
#include "cli/server/tools/tool_answers.h"

namespace recall {
namespace {

constexpr size_t kDocumentsPerPage = 100;

std::string_view MimeTypeOf(std::string_view path) {
  return path.ends_with(".md") || path.ends_with(".markdown") ? "text/markdown" : "text/plain";
}

Json Contents(const std::string& uri, std::string_view mime_type, std::string_view text) {
  return {{"contents", Json::array({{{"uri", uri}, {"mimeType", mime_type}, {"text", text}}})}};
}

tl::unexpected<RpcError> NoSuchResource(const std::string& uri, const std::string& why) {
  return RpcFailure(RpcCode::kResourceNotFound, why, {{"uri", uri}});
}

std::vector<Json> ParsedLines(const std::string& text) {
  std::vector<Json> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    Json line = Json::parse(text.substr(at, end - at), nullptr, false);
    if (line.is_object()) lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

// The resources that are no documents.
Json FixedResources() {
  Json resources = Json::array();
  for (const GuideSection& section : GuideSections(kGuideText)) {
    const bool first = resources.empty();
    const std::string name = first ? "guide" : "guide/" + section.name;
    resources.push_back({{"uri", "recall://" + name},
                         {"name", name},
                         {"description", first ? std::string("how to use Recall")
                                               : "section of the guide: " + section.name},
                         {"mimeType", "text/markdown"}});
  }
  resources.push_back({{"uri", "recall://stats"},
                       {"name", "stats"},
                       {"description", "what the store contains"},
                       {"mimeType", "application/json"}});
  return resources;
}

}  // namespace

RpcAnswer RecallService::ListResources(const std::optional<std::string>& cursor) {
  Cursor place;
  if (cursor) {
    const auto decoded = DecodeCursor(*cursor);
    const bool foreign = decoded && decoded->fingerprint != 0;  // of a tool
    if (!decoded || foreign) return RpcFailure(RpcCode::kInvalidParams, "the cursor is damaged");
    place = *decoded;
  }
  Json result = {{"resources", cursor ? Json::array() : FixedResources()}};
  std::vector<std::string> args = {"--lean"};
  if (!place.snapshot.empty()) args.push_back("--snapshot=" + place.snapshot);
  args.push_back("--");
  args.push_back("SELECT doc.path FROM doc ORDER BY doc.path ASC LIMIT " +
                 std::to_string(kDocumentsPerPage) + " OFFSET " + std::to_string(place.offset));
  const CommandOutput output = runner_->Run("query", std::move(args));
  if (!output.ok()) {
    const ToolFault fault = FaultOf(output);
    // Without a store there are no documents, but the guide says how to make one.
    if (fault.code == "store_not_found") return result;
    return RpcFailure(RpcCode::kInvalidParams, fault.message);
  }
  const std::vector<Json> lines = ParsedLines(output.text);
  for (const Json& line : lines) {
    const std::string path = JsonText(line, "doc.path");
    if (path.empty()) continue;
    result["resources"].push_back(
        {{"uri", DocumentUri(path)}, {"name", path}, {"mimeType", MimeTypeOf(path)}});
  }
  if (!lines.empty() && lines.back().contains("next_offset")) {
    result["nextCursor"] =
        EncodeCursor({0, place.offset + kDocumentsPerPage, JsonText(lines.back(), "snapshot"), {}});
  }
  return result;
}

RpcAnswer RecallService::ListResourceTemplates() {
  return Json{{"resourceTemplates",
               Json::array({{{"uriTemplate", "recall://doc/{+path}{?lines,snapshot}"},
                             {"name", "doc"},
                             {"description", "a document of the store, or lines of it: lines=9-17"},
                             {"mimeType", "text/plain"}}})}};
}

RpcAnswer RecallService::ReadDocument(const std::string& path, const std::string& lines,
                                      const std::string& snapshot, const std::string& uri) {
  std::vector<std::string> args = {"--lean", "--fields=text"};
  if (!snapshot.empty()) args.push_back("--snapshot=" + snapshot);
  args.push_back("--");
  args.push_back(lines.empty() ? path : path + ":" + lines);
  const CommandOutput output = runner_->Run("get", std::move(args));
  if (!output.ok()) return NoSuchResource(uri, FaultOf(output).message);
  const std::vector<Json> found = ParsedLines(output.text);
  return Contents(uri, MimeTypeOf(path), found.empty() ? "" : JsonText(found.front(), "text"));
}

RpcAnswer RecallService::ReadResource(const std::string& uri, McpExchange&) {
  const auto parsed = ParseResourceUri(uri);
  if (!parsed) return NoSuchResource(uri, "unknown resource '" + uri + "'");
  if (parsed->kind == "doc" && !parsed->path.empty()) {
    return ReadDocument(parsed->path, parsed->lines, parsed->snapshot, uri);
  }
  if (parsed->kind == "stats" && parsed->path.empty()) {
    const RpcAnswer status = RunTool("status", Json::object());
    if (!status) return status;
    return Contents(uri, "application/json", JsonText((*status)["content"][0], "text"));
  }
  if (parsed->kind == "guide") {
    const std::vector<GuideSection> sections = GuideSections(kGuideText);
    if (parsed->path.empty()) return Contents(uri, "text/markdown", sections.front().text);
    const auto section = std::ranges::find(sections, parsed->path, &GuideSection::name);
    if (section != sections.end()) return Contents(uri, "text/markdown", section->text);
  }
  return NoSuchResource(uri, "unknown resource '" + uri + "'");
}

}  // namespace recall

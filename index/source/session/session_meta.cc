#include "index/source/session/session_meta.h"

#include <nlohmann/json.hpp>
#include <string>

namespace recall {
namespace {

using MetaJson = nlohmann::json;  // objects sort their keys

// Has what was known of an imported session elsewhere. Stores have this key, named after the first
// program whose sessions were imported.
constexpr char kImportedKey[] = "rekal";

void Put(const char* key, const std::string& value, MetaJson* json) {
  if (!value.empty()) (*json)[key] = value;
}
void Put(const char* key, const std::vector<std::string>& values, MetaJson* json) {
  if (!values.empty()) (*json)[key] = values;
}
void Put(const char* key, std::optional<UnixNanos> time, MetaJson* json) {
  if (time) (*json)[key] = FormatRfc3339(*time);
}

std::string TextOf(const MetaJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> TextsOf(const MetaJson& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return texts;
  for (const MetaJson& item : *found) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

int64_t CountOf(const MetaJson& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

}  // namespace

std::string WriteSessionMeta(const SessionMeta& meta) {
  MetaJson json = MetaJson::object();
  Put("agent", meta.agent, &json);
  Put("id", meta.id, &json);
  Put("parent", meta.parent, &json);
  Put("actor", meta.actor, &json);
  Put("author", meta.author, &json);
  Put("branch", meta.branch, &json);
  Put("cwd", meta.cwd, &json);
  Put("model", meta.model, &json);
  Put("title", meta.title, &json);
  Put("transcript", meta.transcript, &json);
  Put("started_at", meta.started_at, &json);
  Put("captured_at", meta.captured_at, &json);
  json["turns"] = meta.turns;
  json["tool_calls"] = meta.tool_calls;
  Put("files", meta.files, &json);
  Put("tools", meta.tools, &json);
  Put("commit", meta.commit, &json);
  std::vector<std::string> commits;
  std::vector<std::string> grades;
  for (const auto& [sha, grade] : meta.commits) {
    commits.push_back(sha);
    grades.push_back(grade);
  }
  Put("commits", commits, &json);
  Put("commit_grades", grades, &json);
  Put("commit_files", meta.commit_files, &json);
  if (meta.imported_captured_at) {
    Put("captured_at", meta.imported_captured_at, &json[kImportedKey]);
  }
  if (!meta.redacted.empty()) json["redacted"] = meta.redacted;
  if (meta.keeps_secrets) json["secrets"] = "keep";
  Put("changed_files", meta.changed_files, &json);
  Put("offered_paths", meta.offered_paths, &json);
  Put("followed_paths", meta.followed_paths, &json);
  if (!meta.offered_paths.empty()) {
    json["hints_offered"] = meta.offered_paths.size();
    json["hints_followed"] = meta.followed_paths.size();
  }
  return json.dump(-1, ' ', false, MetaJson::error_handler_t::replace);
}

SessionMeta ReadSessionMeta(std::string_view text) {
  const MetaJson json = MetaJson::parse(text, nullptr, /*allow_exceptions=*/false);
  SessionMeta meta;
  if (!json.is_object()) return meta;
  meta.agent = TextOf(json, "agent");
  meta.id = TextOf(json, "id");
  meta.parent = TextOf(json, "parent");
  meta.actor = TextOf(json, "actor");
  meta.author = TextOf(json, "author");
  meta.branch = TextOf(json, "branch");
  meta.cwd = TextOf(json, "cwd");
  meta.model = TextOf(json, "model");
  meta.title = TextOf(json, "title");
  meta.transcript = TextOf(json, "transcript");
  meta.started_at = ParseRfc3339(TextOf(json, "started_at"));
  meta.captured_at = ParseRfc3339(TextOf(json, "captured_at"));
  meta.turns = CountOf(json, "turns");
  meta.tool_calls = CountOf(json, "tool_calls");
  meta.files = TextsOf(json, "files");
  meta.tools = TextsOf(json, "tools");
  meta.commit = TextOf(json, "commit");
  const std::vector<std::string> commits = TextsOf(json, "commits");
  const std::vector<std::string> grades = TextsOf(json, "commit_grades");
  for (size_t i = 0; i < commits.size(); ++i) {
    meta.commits[commits[i]] = i < grades.size() ? grades[i] : "explicit";
  }
  meta.commit_files = TextsOf(json, "commit_files");
  if (const auto found = json.find(kImportedKey); found != json.end() && found->is_object()) {
    meta.imported_captured_at = ParseRfc3339(TextOf(*found, "captured_at"));
  }
  if (const auto found = json.find("redacted"); found != json.end() && found->is_object()) {
    for (const auto& [kind, count] : found->items()) {
      if (count.is_number_integer()) meta.redacted[kind] = count.get<int64_t>();
    }
  }
  meta.keeps_secrets = TextOf(json, "secrets") == "keep";
  meta.changed_files = TextsOf(json, "changed_files");
  meta.offered_paths = TextsOf(json, "offered_paths");
  meta.followed_paths = TextsOf(json, "followed_paths");
  return meta;
}

}  // namespace recall

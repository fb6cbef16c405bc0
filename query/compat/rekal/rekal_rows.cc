// The tables are put together by their ids. Which table a row is of follows from its columns:
//
//   sessions              id, actor_type, captured_at, user_email, branch, parent_session_id, ...
//   turns                 session_id, turn_index, role, content, ts
//   tool_calls            session_id, call_order, tool, path, cmd_prefix
//   checkpoints           id, git_sha, ts, ...
//   checkpoint_sessions   checkpoint_id, session_id
//   files_touched         checkpoint_id, file_path, change_type

#include "query/compat/rekal/rekal_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "storage/base/clock.h"

namespace recall {
namespace {

using RowJson = nlohmann::json;

constexpr std::string_view kOnlyNamedChange = "T";

std::string RowText(const RowJson& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int64_t RowNumber(const RowJson& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

// Of "2026-02-25T10:00:00Z", or "2026-02-25 10:00:00" in UTC.
std::optional<UnixNanos> RowTime(const RowJson& row, const char* key) {
  std::string text = RowText(row, key);
  if (const auto time = ParseRfc3339(text)) return time;
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  return ParseRfc3339(text + "Z");
}

// Where the object that begins at `begin` ends; npos if it does not.
size_t EndOfObject(std::string_view text, size_t begin) {
  int64_t depth = 0;
  bool quoted = false;
  for (size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return text.npos;
}

class RowTables final {
 public:
  // Whether the object is known.
  bool Add(const RowJson& row) {
    const std::string session = RowText(row, "session_id");
    const std::string checkpoint = RowText(row, "checkpoint_id");
    if (!checkpoint.empty()) {
      Checkpoint& known = checkpoints_[checkpoint];
      if (!session.empty()) known.sessions.insert(session);
      const std::string file = RowText(row, "file_path");
      const bool changed = !file.empty() && RowText(row, "change_type") != kOnlyNamedChange;
      if (changed) known.files.insert(file.substr(file.rfind('\t') + 1));
      return true;
    }
    if (!session.empty() && row.contains("turns")) return AddWhole(session, row);
    if (!session.empty() && row.contains("turn_index")) {
      AddTurn(RowNumber(row, "turn_index"), row, &sessions_[session]);
      return true;
    }
    if (!session.empty() && row.contains("call_order")) {
      AddCall(RowNumber(row, "call_order"), row, &sessions_[session]);
      return true;
    }
    const std::string id = RowText(row, "id");
    if (id.empty()) return false;
    if (row.contains("git_sha")) {
      checkpoints_[id].sha = RowText(row, "git_sha");
      checkpoints_[id].at = RowTime(row, "ts");
      return true;
    }
    if (!row.contains("actor_type")) return false;
    RekalSession& about = sessions_[id].session;
    about.is_agent = RowText(row, "actor_type") == "agent";
    about.author = RowText(row, "user_email");
    AddFacts(row, &about);
    return true;
  }

  void Finish(RekalRows* rows) {
    for (auto& [id, session] : sessions_) {
      session.session.id = id;
      for (auto& [index, turn] : session.turns) session.session.turns.push_back(std::move(turn));
      for (auto& [order, call] : session.calls) session.session.calls.push_back(std::move(call));
      rows->sessions.push_back(std::move(session.session));
      for (auto& commit : session.commits) rows->checkpoints.push_back(std::move(commit));
    }
    for (auto& [id, checkpoint] : checkpoints_) {
      const bool named = checkpoint.sha.find_first_not_of('0') != std::string::npos;
      rows->checkpoints.push_back({named ? checkpoint.sha : "",
                                   checkpoint.at,
                                   {checkpoint.sessions.begin(), checkpoint.sessions.end()},
                                   {checkpoint.files.begin(), checkpoint.files.end()}});
    }
  }

 private:
  struct Session {
    RekalSession session = {};
    std::map<int64_t, RekalTurn> turns = {};
    std::map<int64_t, RekalCall> calls = {};
    std::vector<RekalCheckpoint> commits = {};
  };
  struct Checkpoint {
    std::string sha = {};
    std::optional<UnixNanos> at = {};
    std::set<std::string> sessions = {};
    std::set<std::string> files = {};
  };

  static void AddFacts(const RowJson& row, RekalSession* session) {
    session->branch = RowText(row, "branch");
    session->parent = RowText(row, "parent_session_id");
    session->description = RowText(row, "description");
    session->parsed_at = RowTime(row, "captured_at");
  }

  static void AddTurn(int64_t index, const RowJson& row, Session* session) {
    const std::string role = RowText(row, "role");
    RekalTurn turn;
    turn.role = role == "assistant" ? TurnRole::kAssistant : TurnRole::kHuman;
    turn.is_summary = role == "summary";
    turn.at = RowTime(row, "ts");
    turn.text = RowText(row, "content");
    session->turns[index] = std::move(turn);
  }

  static void AddCall(int64_t order, const RowJson& row, Session* session) {
    session->calls[order] = {RowText(row, "tool"), RowText(row, "path"),
                             RowText(row, "cmd_prefix")};
  }

  // Calls visit(object) for the objects of an array.
  template <typename Visit>
  static void ForEach(const RowJson& row, const char* key, Visit visit) {
    const auto found = row.find(key);
    if (found == row.end() || !found->is_array()) return;
    for (const RowJson& item : *found) {
      if (item.is_object()) visit(item);
    }
  }

  // The output of --session.
  bool AddWhole(const std::string& id, const RowJson& row) {
    Session& session = sessions_[id];
    session.session.is_agent = RowText(row, "actor") == "agent";
    session.session.author = RowText(row, "author");
    AddFacts(row, &session.session);
    ForEach(row, "turns",
            [&](const RowJson& turn) { AddTurn(RowNumber(turn, "index"), turn, &session); });
    ForEach(row, "tool_calls",
            [&](const RowJson& call) { AddCall(RowNumber(call, "order"), call, &session); });
    ForEach(row, "commits", [&](const RowJson& commit) {
      session.commits.push_back({RowText(commit, "sha"), session.session.parsed_at, {id}, {}});
    });
    return true;
  }

  std::map<std::string, Session> sessions_;
  std::map<std::string, Checkpoint> checkpoints_;
};

}  // namespace

RekalRows ReadRekalRows(std::string_view text) {
  RekalRows rows;
  RowTables tables;
  int64_t line = 1;
  size_t counted = 0;  // newlines before it are in `line`
  for (size_t at = 0;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == text.npos) break;
    line += std::count(text.begin() + static_cast<ptrdiff_t>(counted),
                       text.begin() + static_cast<ptrdiff_t>(at), '\n');
    counted = at;
    // What is no object costs its line; the next one may be good.
    const size_t end = text[at] == '{' ? EndOfObject(text, at) : text.npos;
    const RowJson row = end == text.npos ? RowJson()
                                         : RowJson::parse(text.substr(at, end - at), nullptr,
                                                          /*allow_exceptions=*/false);
    if (row.is_object()) {
      ++rows.objects;
      rows.unknown += tables.Add(row) ? 0 : 1;
      at = end;
    } else {
      rows.damaged.push_back(line);
      at = std::min(text.find('\n', at), text.size());
    }
  }
  tables.Finish(&rows);
  return rows;
}

}  // namespace recall

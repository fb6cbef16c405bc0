// Transcripts of the Gemini CLI: ~/.gemini/tmp/PROJECT/chats/session-*.json, one object a session:
//
//   {sessionId, projectHash, startTime, messages: [{id, timestamp, type, content, toolCalls}]}
//
// and session-*.jsonl, where a line is the object without its messages, a message (one with the
// same id replaces it), {"$set": {...}} or {"$rewindTo": id}. What was taken back was said, too, so
// it stays. The directory of the project is in PROJECT/.project_root, or known by its hash alone.

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/source/transcript/hint_trail.h"
#include "index/source/transcript/injected_text.h"
#include "index/source/transcript/tool_calls.h"
#include "index/source/transcript/transcript_lines.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/ids.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr uint64_t kMaxProjectRootBytes = 1 << 16;

// A message, of which a later version may come.
struct GeminiMessage {
  TurnRole role;
  std::optional<UnixNanos> at;
  int64_t line;
  std::string text;
  std::vector<ToolCall> calls;
  std::vector<std::string> opened;  // by the calls
  std::string hints;                // what hooks said to the model, and all that stands around it
};

// Returns the text of a string, of a part {text}, or of a list of these.
std::string TextOfParts(TapeValue content) {
  if (content.IsString()) return content.Text();
  if (content.IsObject())
    return content["thought"].IsTrue() ? std::string() : content["text"].Text();
  std::string text;
  content.ForEach([&](TapeValue part) {
    text.append(part.IsString()            ? part.Text()
                : part["thought"].IsTrue() ? std::string()
                                           : part["text"].Text());
  });
  return text;
}

// What the person wrote of a message: files that it names are put behind it.
std::string QuestionIn(TapeValue message) {
  constexpr std::string_view kFiles = "--- Content from referenced files ---";
  constexpr std::string_view kFilesEnd = "--- End of content ---";
  const TapeValue shown = message["displayContent"];
  if (shown) return SaidByPerson(TextOfParts(shown));
  std::string text = TextOfParts(message["content"]);
  const size_t begin = text.find(kFiles);
  if (begin != text.npos && (begin == 0 || text[begin - 1] == '\n')) {
    const size_t end = text.rfind(kFilesEnd);
    const bool ends = end != text.npos && end > begin;
    text.erase(begin, ends ? end + kFilesEnd.size() - begin : text.npos);
  }
  return SaidByPerson(text);
}

class GeminiReader final {
 public:
  explicit GeminiReader(const std::string& path)
      : path_(path), sessions_("gemini"), builder_("gemini", FileStem(path)) {}

  SessionSet* sessions() { return &sessions_; }

  void Read(TapeValue record, int64_t line) {
    if (record["$rewindTo"]) return;
    if (record["$set"].IsObject()) {
      ReadFacts(record["$set"], line);
    } else if (record["sessionId"] && !record["type"]) {
      ReadFacts(record, line);
    } else if (record["type"].IsString()) {
      ReadMessage(record, line);
    } else {
      sessions_.CountUnknown("record:?");
    }
  }

  TranscriptRead Finish(const TranscriptLimits& limits) {
    AgentSession& session = builder_.session();
    if (session.cwd.empty()) session.cwd = ProjectRoot(limits);
    if (session.cwd.empty()) session.cwd = HashedProject(limits.projects);
    for (GeminiMessage& message : messages_) {
      builder_.SeeTime(message.at);
      builder_.Say(message.role, {}, message.at, message.line, message.text);
      FollowHints(message.opened, session.cwd, &session.hints);
      for (ToolCall& call : message.calls) builder_.UseTool(std::move(call));
      builder_.SeeHints(message.hints);
    }
    const std::string id = builder_.session().id;
    sessions_.Get(id) = std::move(builder_);
    return sessions_.Finish();
  }

 private:
  void ReadFacts(TapeValue facts, int64_t line) {
    AgentSession& session = builder_.session();
    const std::string id = facts["sessionId"].Text();
    if (!id.empty()) session.id = id;
    builder_.SeeTime(facts["startTime"].Time());
    if (facts["projectHash"].IsString()) project_hash_ = facts["projectHash"].Text();
    if (facts["summary"].IsString()) session.title = Trim(facts["summary"].Text());
    facts["directories"].ForEach([&](TapeValue directory) {
      if (session.cwd.empty()) session.cwd = directory.Text();
    });
    if (facts["kind"].Is("subagent")) {
      session.is_automatic = true;
      // Its file lies in a directory with the name of the session that started it.
      const std::string directory = DirectoryName(path_);
      if (directory != "chats" && directory != session.id) session.parent = directory;
    }
    // The file is one JSON document, so no line number can be given.
    facts["messages"].ForEach([&](TapeValue message) { ReadMessage(message, line); });
  }

  void ReadMessage(TapeValue record, int64_t line) {
    const TapeValue type = record["type"];
    const bool is_human = type.Is("user");
    if (!is_human && !type.Is("gemini") && !type.Is("model")) {
      const bool is_known = type.Is("info") || type.Is("error") || type.Is("warning");
      if (!is_known) sessions_.CountUnknown("type", type);
      return;
    }
    if (record["model"].IsString()) builder_.session().model = record["model"].Text();
    GeminiMessage message;
    message.role = is_human ? TurnRole::kHuman : TurnRole::kAssistant;
    message.at = record["timestamp"].Time();
    message.line = line;
    message.text = is_human ? QuestionIn(record) : TextOfParts(record["content"]);
    if (is_human) message.hints = TextOfParts(record["content"]);
    record["toolCalls"].ForEach([&](TapeValue call) { ReadToolCall(call, &message); });
    Put(record["id"].Text(), std::move(message));
  }

  static void ReadToolCall(TapeValue call, GeminiMessage* message) {
    const std::string tool = call["name"].Text();
    std::vector<ToolCall> uses = ToolCallsOf(tool, call["args"]);
    for (std::string& name : OpenedBy(tool, call["args"], uses)) {
      message->opened.push_back(std::move(name));
    }
    std::ranges::move(uses, std::back_inserter(message->calls));
    // A hook behind a tool adds what it says to the result.
    call["result"].ForEach([&](TapeValue part) {
      message->hints += part["functionResponse"]["response"]["output"].Text();
    });
  }

  void Put(const std::string& id, GeminiMessage message) {
    if (!id.empty()) {
      const auto [found, is_new] = places_.emplace(id, messages_.size());
      if (!is_new) {
        message.line = messages_[found->second].line;
        messages_[found->second] = std::move(message);
        return;
      }
    }
    messages_.push_back(std::move(message));
  }

  std::string ProjectRoot(const TranscriptLimits& limits) const {
    for (const std::string_view chats : {"/chats/", "/"}) {
      const size_t end = path_.rfind(chats);
      if (end == path_.npos) continue;
      TranscriptLimits small = limits;
      small.max_file_bytes = kMaxProjectRootBytes;
      const auto root = ReadWholeTranscript(path_.substr(0, end) + "/.project_root", small);
      if (root) return TurnText(Trim(*root));
    }
    return {};
  }

  // The one of these directories, or of those above them, that has the hash; else "".
  std::string HashedProject(std::span<const std::string> projects) const {
    for (std::string directory : projects) {
      while (!directory.empty()) {
        if (ToHex(Sha256(directory)) == project_hash_) return directory;
        const size_t slash = directory.rfind('/');
        directory.resize(slash == directory.npos ? 0 : slash);
      }
    }
    return {};
  }

  std::string path_;
  std::string project_hash_;
  SessionSet sessions_;
  SessionBuilder builder_;
  std::vector<GeminiMessage> messages_;
  std::unordered_map<std::string, size_t> places_;  // by id
};

}  // namespace

Result<TranscriptRead> ReadGemini(const std::string& path, const TranscriptLimits& limits) {
  GeminiReader reader(path);
  const auto read = path.ends_with(".json") ? ForJsonDocument : ForEachJsonLine;
  RECALL_TRY(read(path, limits, reader.sessions(),
                  [&](TapeValue object, int64_t line) { reader.Read(object, line); }));
  return reader.Finish(limits);
}

}  // namespace recall

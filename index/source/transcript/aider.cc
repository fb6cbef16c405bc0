// Transcripts of Aider: .aider.chat.history.md in the directory of the project, to which each chat
// is appended:
//
//   # aider chat started at 2025-02-25 10:00:00
//
//   > Main model: gpt-4o with diff edit format
//
//   #### Why does the login fail?
//
//   The token has expired. ...
//
//   > Applied edit to src/auth.py
//
// "####" is what the person said, ">" what the program reports, the rest what the model said. A
// chat has no id, so it gets one of its time and its first question, which do not change as it
// grows. Times are local ones; they are read as UTC.

#include <array>
#include <cstdio>
#include <utility>

#include "index/source/transcript/tool_calls.h"
#include "index/source/transcript/transcript_lines.h"
#include "index/source/transcript/transcript_readers.h"
#include "storage/base/checksum.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kChatBegin = "# aider chat started at ";
constexpr std::string_view kQuestion = "####";
constexpr std::array<std::string_view, 2> kModel = {"Main model: ", "Model: "};
constexpr std::string_view kApplied = "Applied edit to ";
constexpr std::string_view kRunning = "Running ";

std::string DirectoryOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos || slash == 0 ? std::string() : path.substr(0, slash);
}

class AiderReader final {
 public:
  explicit AiderReader(const std::string& path) : cwd_(DirectoryOf(path)), sessions_("aider") {}

  SessionSet* sessions() { return &sessions_; }

  void Read(std::string_view line, int64_t number) {
    if (line.starts_with(kChatBegin)) {
      EndChat();
      BeginChat(Trim(line.substr(kChatBegin.size())));
    } else if (line.starts_with(kQuestion) &&
               (line.size() == kQuestion.size() || line[kQuestion.size()] == ' ')) {
      line.remove_prefix(kQuestion.size());
      if (line.starts_with(' ')) line.remove_prefix(1);
      if (first_question_.empty()) first_question_ = Trim(line);
      Add(TurnRole::kHuman, number, WithoutEnd(line));
    } else if (line == ">" || line.starts_with("> ")) {
      EndTurn();
      ReadReport(Trim(line.substr(1)));
    } else if (role_ == TurnRole::kHuman && Trim(line).empty()) {
      EndTurn();
    } else if (!text_.empty() || !Trim(line).empty()) {
      Add(TurnRole::kAssistant, number, line);
    }
  }

  TranscriptRead Finish() {
    EndChat();
    return sessions_.Finish();
  }

 private:
  // Two spaces at the end are Markdown's line break.
  static std::string_view WithoutEnd(std::string_view line) {
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }

  void BeginChat(std::string_view time) {
    time_ = time;
    builder_ = SessionBuilder("aider", {});
    builder_.session().cwd = cwd_;
    builder_.SeeTime(ParseRfc3339(time_ + "Z"));
  }

  void EndChat() {
    EndTurn();
    if (builder_.has_turns()) {
      builder_.session().id = ChatId();
      const std::string id = builder_.session().id;
      // A copy of a chat in the same file is the same chat.
      if (!sessions_.Get(id).has_turns()) sessions_.Get(id) = std::move(builder_);
    }
    builder_ = SessionBuilder("aider", {});
    builder_.session().cwd = cwd_;
    first_question_.clear();
    time_.clear();
  }

  std::string ChatId() const {
    char hash[16];
    const auto* const bytes = reinterpret_cast<const uint8_t*>(first_question_.data());
    std::snprintf(hash, sizeof(hash), "%08x", Crc32c({bytes, first_question_.size()}));
    const auto started = builder_.session().started;
    std::string time = started ? FormatRfc3339(*started).substr(0, 19) : "chat";
    for (char& c : time) c = c == ':' ? '-' : c;
    return time + "-" + hash;
  }

  void Add(TurnRole role, int64_t number, std::string_view line) {
    if (role != role_) EndTurn();
    if (text_.empty()) line_ = number;
    role_ = role;
    text_.append(line).push_back('\n');
  }

  void EndTurn() {
    if (role_) builder_.Say(*role_, {}, std::nullopt, line_, text_);
    role_.reset();
    text_.clear();
  }

  void ReadReport(std::string_view report) {
    for (const std::string_view model : kModel) {
      if (!report.starts_with(model)) continue;
      const std::string_view name = report.substr(model.size());
      builder_.session().model = TurnText(name.substr(0, name.find(' ')));
    }
    if (report.starts_with(kApplied)) {
      builder_.UseTool({0, "edit", TurnText(report.substr(kApplied.size())), {}});
    } else if (report.starts_with(kRunning)) {
      builder_.UseTool({0, "run", {}, TurnText(report.substr(kRunning.size()))});
    }
  }

  std::string cwd_;
  SessionSet sessions_;
  SessionBuilder builder_{"aider", {}};  // of the chat
  std::string time_;
  std::string first_question_;
  std::optional<TurnRole> role_;  // of the turn that is being read
  int64_t line_ = 0;
  std::string text_;
};

}  // namespace

Result<TranscriptRead> ReadAider(const std::string& path, const TranscriptLimits& limits) {
  AiderReader reader(path);
  RECALL_ASSIGN(TranscriptLines lines, TranscriptLines::Open(path, limits));
  for (;;) {
    if (limits.cancel && limits.cancel->load(std::memory_order_relaxed)) {
      return Fail(Status::Cancelled("cancelled"));
    }
    RECALL_ASSIGN(const auto line, lines.Next());
    if (!line) return reader.Finish();
    if (line->too_long) {
      reader.sessions()->CountUnknown(std::string(kTooLong));
    } else if (!line->ended) {
      reader.sessions()->set_torn();
    } else {
      std::string_view text = line->text;
      if (text.ends_with('\r')) text.remove_suffix(1);
      reader.Read(text, line->number);
    }
  }
}

}  // namespace recall

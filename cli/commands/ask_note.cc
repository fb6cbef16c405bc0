#include "cli/commands/ask_note.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/terminal/typed_lines.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

class Questions final {
 public:
  explicit Questions(StdoutStream* out) : out_(out) {}

  // One line. It is asked for again while it is empty, if it must not be.
  Result<std::string> Line(const std::string& prompt, bool required = false) {
    for (;;) {
      out_->WriteError(prompt + ": ");
      RECALL_ASSIGN(const std::string line, Read());
      const std::string text(Trim(line));
      if (!text.empty() || !required) return text;
    }
  }

  // Lines up to one that is a single dot.
  Result<std::string> Lines(const std::string& prompt) {
    out_->WriteError(prompt + ", then a line with only a dot:\n");
    std::string text;
    for (;;) {
      RECALL_ASSIGN(const std::string line, Read());
      if (line == ".") return std::string(Trim(text));
      text += line + "\n";
    }
  }

  // Items, one a line, up to an empty line.
  Result<std::vector<std::string>> Items(const std::string& prompt) {
    std::vector<std::string> items;
    out_->WriteError(prompt + ", one a line, then an empty line:\n");
    for (;;) {
      RECALL_ASSIGN(const std::string line, Read());
      const std::string item(Trim(line));
      if (item.empty()) return items;
      items.push_back(item);
    }
  }

  // As Items, with commas between the words of a line; at least one.
  Result<std::vector<std::string>> Words(const std::string& prompt) {
    std::vector<std::string> words;
    out_->WriteError(prompt + ", with commas or one a line, then an empty line:\n");
    for (;;) {
      RECALL_ASSIGN(const std::string line, Read());
      if (Trim(line).empty() && !words.empty()) return words;
      AppendWords(line, &words);
      if (words.empty()) out_->WriteError("at least one is needed:\n");
    }
  }

 private:
  static void AppendWords(std::string_view line, std::vector<std::string>* words) {
    for (size_t at = 0; at <= line.size();) {
      const size_t end = std::min(line.find(',', at), line.size());
      const std::string_view word = Trim(line.substr(at, end - at));
      if (!word.empty()) words->emplace_back(word);
      at = end + 1;
    }
  }

  Result<std::string> Read() {
    RECALL_ASSIGN(auto line, lines_.Next());
    if (line) return *std::move(line);
    return Fail(
        Status::Cancelled("the input ended before the note was complete; nothing was "
                          "saved"));
  }

  StdoutStream* out_;
  TypedLines lines_;
};

Result<std::optional<NoteContext>> AskForContext(Questions& ask) {
  NoteContext context;
  RECALL_ASSIGN(context.situation, ask.Line("Situation (Enter: no context)"));
  if (context.situation.empty()) return std::nullopt;
  RECALL_ASSIGN(context.solution, ask.Line("Solution"));
  RECALL_ASSIGN(context.what_failed, ask.Line("What failed"));
  RECALL_ASSIGN(context.error_messages, ask.Items("Error messages"));
  RECALL_ASSIGN(context.files, ask.Items("Files"));
  RECALL_ASSIGN(context.trigger_keywords, ask.Words("Keywords in which the note is wanted"));
  return context;
}

}  // namespace

Status AskForNote(bool with_text, bool with_context, StdoutStream* out, NoteDraft* note) {
  Questions ask(out);
  if (note->type.empty()) {
    RECALL_ASSIGN(note->type, ask.Line("Type (lesson, decision, bug, preference, ...)", true));
  }
  if (note->title.empty()) {
    RECALL_ASSIGN(note->title, ask.Line("Title", true));
  }
  if (with_text) {
    RECALL_ASSIGN(note->text, ask.Lines("Text in Markdown"));
  }
  if (with_context) {
    RECALL_ASSIGN(note->context, AskForContext(ask));
  }
  return Status::Ok();
}

}  // namespace recall

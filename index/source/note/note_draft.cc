#include "index/source/note/note_draft.h"

#include <algorithm>

#include "index/base/text/case_fold.h"
#include "index/base/text/fold.h"
#include "index/base/text/utf8.h"
#include "storage/base/json_writer.h"
#include "storage/base/number.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kContextHeading = "Context";
constexpr size_t kMostIdBytes = 80;

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Whether YAML reads the text as this string without quotes. Texts that could be a number, a date,
// a boolean or null are quoted, so that every reader takes them for text.
bool IsPlainScalar(std::string_view text) {
  if (text.empty() || !IsAsciiLetter(text.front()) || text.back() == ' ') return false;
  for (const std::string_view word :
       {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}) {
    const bool same = std::ranges::equal(text, word, [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
    if (same) return false;
  }
  return std::ranges::all_of(text, [](char c) {
    return IsAsciiLetter(c) || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-' ||
           c == '/' || c == '.';
  });
}

// A JSON string is a double-quoted scalar of YAML, too.
void AppendScalar(std::string_view text, std::string* out) {
  if (IsPlainScalar(text)) {
    *out += text;
    return;
  }
  JsonWriter(out).String(text);
}

class CardPrinter final {
 public:
  explicit CardPrinter(std::string* out) : out_(out) {}

  void Text(std::string_view key, std::string_view text) {
    Key(key);
    AppendScalar(text, out_);
    *out_ += '\n';
  }
  void Text(std::string_view key, const std::optional<std::string>& text) {
    if (text) Text(key, std::string_view(*text));
  }
  void List(std::string_view key, const std::vector<std::string>& items) {
    if (items.empty()) return;
    out_->append(key).append(":\n");
    for (const std::string& item : items) {
      *out_ += "  - ";
      AppendScalar(item, out_);
      *out_ += '\n';
    }
  }
  // A time at midnight is a date alone.
  void Time(std::string_view key, const std::optional<UnixNanos>& time) {
    if (!time) return;
    std::string text = FormatRfc3339(*time);
    constexpr std::string_view kMidnight = "T00:00:00Z";
    if (text.ends_with(kMidnight)) text.resize(text.size() - kMidnight.size());
    Verbatim(key, text);
  }
  void Verbatim(std::string_view key, std::string_view value) {
    Key(key);
    out_->append(value).append("\n");
  }

 private:
  void Key(std::string_view key) { out_->append(key).append(": "); }

  std::string* out_;
};

void AppendCard(const NoteDraft& note, std::string* out) {
  CardPrinter card(out);
  card.Text("type", std::string_view(note.type));
  card.Text("title", std::string_view(note.title));
  card.Text("summary", note.summary);
  card.List("tags", note.tags);
  card.List("recall_when", note.recall_when);
  card.List("topic_path", note.topic_path);
  card.Text("scope", note.scope);
  card.Text("source", note.source);
  if (note.confidence) {
    std::string number;
    JsonWriter(&number).Double(*note.confidence);
    card.Verbatim("confidence", number);
  }
  card.Text("sensitivity", note.sensitivity);
  card.Text("status", note.status);
  card.Text("memory", note.memory);
  card.Time("created", note.created);
  card.Time("updated", note.updated);
  card.Time("last_reviewed_at", note.last_reviewed_at);
  card.Time("valid_until", note.valid_until);
  if (note.expires_after_days) {
    card.Verbatim("expires_after_days", std::to_string(*note.expires_after_days));
  }
  card.List("related", note.related);
  card.Text("superseded_by", note.superseded_by);
  for (const auto& [key, value] : note.other) card.Verbatim(key, value);
}

void AppendSection(std::string_view title, std::string_view text, std::string* out) {
  const std::string_view trimmed = Trim(text);
  if (trimmed.empty()) return;
  out->append("\n### ").append(title).append("\n\n").append(trimmed).append("\n");
}

void AppendSection(std::string_view title, const std::vector<std::string>& items,
                   std::string* out) {
  std::string list;
  for (const std::string& item : items) {
    if (const std::string_view trimmed = Trim(item); !trimmed.empty()) {
      list.append("- ").append(trimmed).append("\n");
    }
  }
  AppendSection(title, list, out);
}

void AppendContext(const NoteContext& context, std::string* out) {
  out->append("\n## ").append(kContextHeading).append("\n");
  AppendSection("Situation", context.situation, out);
  AppendSection("Solution", context.solution, out);
  AppendSection("What failed", context.what_failed, out);
  AppendSection("Error messages", context.error_messages, out);
  AppendSection("Files", context.files, out);
  AppendSection("Keywords", context.trigger_keywords, out);
}

}  // namespace

std::string PrintNote(const NoteDraft& note) {
  std::string out = "---\n";
  AppendCard(note, &out);
  out += "---\n";
  const std::string_view text = Trim(note.text);
  if (!text.empty()) out.append("\n").append(text).append("\n");
  if (note.context) AppendContext(*note.context, &out);
  return out;
}

std::string NoteIdOf(std::string_view title) {
  std::string folded;
  FoldCaseAppend(title, &folded);
  std::string id;
  bool gap = false;
  for (size_t at = 0; at < folded.size();) {
    const size_t start = at;
    const uint32_t character = DecodeUtf8(folded, &at);
    const CharacterKind kind = KindBeforeFolding(character);
    // An apostrophe joins: "don't" is one word.
    if (character == '\'' || character == 0x2019) continue;
    if (kind != CharacterKind::kWord && kind != CharacterKind::kBigram) {
      gap = true;
      continue;
    }
    const std::string_view bytes = std::string_view(folded).substr(start, at - start);
    const bool dash = gap && !id.empty();
    if (id.size() + dash + bytes.size() > kMostIdBytes) break;
    if (dash) id += '-';
    gap = false;
    id += bytes;
  }
  return id.empty() ? "note" : id;
}

std::string NotePathOf(std::string_view id) { return "notes/" + std::string(id) + ".md"; }

std::string CutSummary(const RedactedText& summary) {
  const std::string_view text = summary.view();
  size_t at = 0;
  for (size_t count = 0; count < kMostSummaryCharacters && at < text.size(); ++count) {
    DecodeUtf8(text, &at);
  }
  return std::string(text.substr(0, at));
}

}  // namespace recall

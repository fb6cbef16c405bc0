// The form of a new note:
//
//   ---
//   title: Focus styles
//   type: lesson
//   tags: css, ui
//   ---
//
//   The text, in Markdown.
//
// It looks like the card that it becomes, but its values are read as they stand: a colon or a
// quote in a title needs no quoting. Lists have commas, brackets around them, or an item a line.

#include "cli/show/browse/note_form.h"

#include <algorithm>
#include <vector>

#include "storage/base/ids.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kNewNoteForm =
    "---\n"
    "title: \n"
    "type: lesson\n"
    "tags: \n"
    "recall_when: \n"
    "summary: \n"
    "# Commas separate tags, and the phrases in which the note is wanted. Below the next line\n"
    "# stands what the note says, in Markdown. Without title and text nothing is saved.\n"
    "---\n"
    "\n";
constexpr uint32_t kTitleLine = 2;

constexpr std::string_view kFormKeys =
    "title, type, tags, recall_when, summary, scope, source, topic_path, memory, sensitivity";

std::string_view WithoutQuotes(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.front() == value.back() &&
                      (value.front() == '"' || value.front() == '\'');
  return quoted ? value.substr(1, value.size() - 2) : value;
}

void AddItems(std::string_view value, std::vector<std::string>* items) {
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  for (size_t at = 0; at <= value.size();) {
    const size_t comma = std::min(value.find(',', at), value.size());
    const std::string_view item = WithoutQuotes(Trim(value.substr(at, comma - at)));
    if (!item.empty()) items->emplace_back(item);
    at = comma + 1;
  }
}

// Reads the lines between the two `---`.
class FormReader final {
 public:
  // `number`: of the line, from 1.
  Status AddLine(std::string_view line, size_t number) {
    const std::string_view trimmed = Trim(line);
    if (trimmed.empty() || trimmed.starts_with('#')) return {};
    const bool continues = line.front() == ' ' || line.front() == '\t' || line.front() == '-';
    if (continues) return Continue(trimmed, number);
    const size_t colon = trimmed.find(':');
    if (colon == trimmed.npos) return Wrong(number, "has no colon", "write KEY: VALUE");
    const std::string_view key = Trim(trimmed.substr(0, colon));
    if (!Choose(key)) {
      return Wrong(
          number, "has the unknown key '" + std::string(key) + "'",
          "a new note has " + std::string(kFormKeys) + "; others can be added once it is saved");
    }
    AddValue(Trim(trimmed.substr(colon + 1)));
    return {};
  }

  NoteDraft Take(std::string_view text) && {
    for (auto* member :
         {&draft_.summary, &draft_.scope, &draft_.source, &draft_.memory, &draft_.sensitivity}) {
      if (*member && (*member)->empty()) member->reset();
    }
    draft_.text = Trim(text);
    return std::move(draft_);
  }

 private:
  static Status Wrong(size_t number, std::string_view what, std::string hint) {
    return Status::InvalidArgument("line " + std::to_string(number) + " " + std::string(what),
                                   std::move(hint));
  }

  // The member that values are added to.
  bool Choose(std::string_view key) {
    list_ = key == "tags"          ? &draft_.tags
            : key == "recall_when" ? &draft_.recall_when
            : key == "topic_path"  ? &draft_.topic_path
                                   : nullptr;
    std::optional<std::string>* const optional = key == "summary"       ? &draft_.summary
                                                 : key == "scope"       ? &draft_.scope
                                                 : key == "source"      ? &draft_.source
                                                 : key == "memory"      ? &draft_.memory
                                                 : key == "sensitivity" ? &draft_.sensitivity
                                                                        : nullptr;
    text_ = key == "title" ? &draft_.title : key == "type" ? &draft_.type : nullptr;
    if (optional) text_ = &optional->emplace();
    return list_ || text_;
  }

  void AddValue(std::string_view value) {
    if (list_) return AddItems(value, list_);
    if (value == "|" || value == ">" || value.empty()) return;
    if (!text_->empty()) *text_ += ' ';
    *text_ += WithoutQuotes(value);
  }

  // A further line of the value, or item of the list.
  Status Continue(std::string_view line, size_t number) {
    if (!list_ && !text_) return Wrong(number, "belongs to no key", "write KEY: VALUE");
    if (list_ && line.starts_with("-")) {
      const std::string_view item = WithoutQuotes(Trim(line.substr(1)));
      if (!item.empty()) list_->emplace_back(item);
      return {};
    }
    AddValue(line);
    return {};
  }

  NoteDraft draft_;
  std::vector<std::string>* list_ = nullptr;
  std::string* text_ = nullptr;
};

// A word of letters and digits that a file may be named after.
std::string FileWord(std::string_view path) {
  std::string_view stem = path.substr(path.rfind('/') + 1);
  stem = stem.substr(0, std::min<size_t>(stem.rfind('.'), 60));
  std::string word;
  for (const char c : stem) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    word += plain ? c : '-';
  }
  return word.empty() ? "note" : word;
}

}  // namespace

EditedNote NewNote() { return {.begun = std::string(kNewNoteForm), .line = kTitleLine}; }

EditedNote NoteToEdit(const GetResponse& note) {
  return {.begun = note.chunk.text, .line = 1, .path = note.doc.path, .hash = note.doc.hash};
}

std::string DraftName(const EditedNote& note, std::string_view store_directory) {
  std::string identity(store_directory);
  identity += '\0' + note.path + '\0' + note.hash;
  return (note.path.empty() ? "new" : FileWord(note.path)) + "-" +
         ToHex(Sha256(identity)).substr(0, 12) + ".md";
}

Result<NoteDraft> ReadNoteForm(std::string_view form) {
  FormReader reader;
  bool open = false;
  size_t number = 0;
  for (size_t at = 0; at < form.size();) {
    const size_t newline = std::min(form.find('\n', at), form.size());
    const std::string_view line = form.substr(at, newline - at);
    at = std::min(newline + 1, form.size());
    ++number;
    const bool is_mark = Trim(line) == "---";
    if (is_mark && open) return std::move(reader).Take(form.substr(at));
    if (is_mark) {
      open = true;
    } else if (open) {
      RECALL_TRY(reader.AddLine(line, number));
    } else if (!Trim(line).empty()) {
      break;
    }
  }
  return Fail(Status::InvalidArgument("the note has no card",
                                      "title and type stand between two lines ---"));
}

Result<std::optional<SaveRequest>> SavingOf(const EditedNote& note, std::string_view text,
                                            SaveRequest like) {
  if (text == note.begun) return std::nullopt;
  if (note.path.empty()) {
    if (Trim(text).empty()) return std::nullopt;
    RECALL_ASSIGN(like.note, ReadNoteForm(text));
    if (like.note.title.empty() && like.note.text.empty()) return std::nullopt;
    return like;
  }
  like.rewrite = note.path;
  like.rewrites_card = true;
  like.based_on = note.hash;
  like.note.text = text;
  return like;
}

}  // namespace recall

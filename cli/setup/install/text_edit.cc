#include "cli/setup/install/text_edit.h"

#include "cli/setup/install/entry_text.h"
#include "cli/setup/install/marked_block.h"

namespace recall {
namespace {

const std::string& EntryTextOf(const ServerEntry& entry) {
  return std::get<std::string>(entry.front().value);
}

std::string CanonicalText(std::string text) { return CanonicalEntry({{"text", std::move(text)}}); }

}  // namespace

Result<std::optional<std::string>> FindTextEntry(bool markdown, std::string_view text) {
  if (!markdown) {
    return text.empty() ? std::nullopt : std::optional(CanonicalText(std::string(text)));
  }
  RECALL_ASSIGN(const auto removal, WithoutBlock(text, kMarkdownMarks));
  if (!removal) return std::optional<std::string>();
  std::string lines = removal->lines;
  std::erase(lines, '\r');  // an editor may have changed all line ends of the file
  return std::optional(CanonicalText(std::move(lines)));
}

Result<SettingsEdit> AddTextEntry(bool markdown, std::string_view text, const ServerEntry& entry) {
  if (!markdown) return SettingsEdit{EntryTextOf(entry), {}};
  const std::string block = MarkedBlock(EntryTextOf(entry), false, kMarkdownMarks);
  return SettingsEdit{WithBlock(text, text.size(), block), {}};
}

Result<SettingsEdit> ReplaceTextEntry(bool markdown, std::string_view text,
                                      const ServerEntry& entry) {
  SettingsEdit edit;
  if (!markdown) {
    edit.added.replaced = text;
    edit.text = EntryTextOf(entry);
    return edit;
  }
  RECALL_ASSIGN(auto removal, WithoutBlock(text, kMarkdownMarks));
  if (!removal) return Fail(MustBeEditedByHand());
  edit.added.replaced = std::move(removal->lines);
  edit.text = WithLinesOfBlock(text, EntryTextOf(entry), kMarkdownMarks);
  return edit;
}

Result<std::string> TakeTextEntry(bool markdown, std::string_view text, const AddedText* added) {
  const bool put_back = added != nullptr && added->replaced;
  if (!markdown) return put_back ? *added->replaced : std::string();
  if (put_back) return WithLinesOfBlock(text, *added->replaced, kMarkdownMarks);
  RECALL_ASSIGN(auto removal, WithoutBlock(text, kMarkdownMarks));
  if (!removal) return Fail(MustBeEditedByHand());
  return std::move(removal->text);
}

}  // namespace recall

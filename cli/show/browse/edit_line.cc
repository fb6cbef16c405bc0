#include "cli/show/browse/edit_line.h"

#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

std::string WithoutControls(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const size_t length = FirstCharacter(text);
    const std::string_view character = text.substr(0, length);
    const std::string shown = EscapeLine(character);
    // What would be escaped is no part of a question.
    clean += shown == character ? shown : " ";
    text.remove_prefix(length);
  }
  return clean;
}

// The start of the character before `at`; 0 if there is none.
size_t CharacterBefore(std::string_view text, size_t at) {
  size_t begin = 0;
  for (size_t next = 0; next < at; next += FirstCharacter(text.substr(next))) begin = next;
  return begin;
}

EditLine Without(const EditLine& line, size_t from, size_t to) {
  EditLine shorter{line.text, from};
  shorter.text.erase(from, to - from);
  return shorter;
}

}  // namespace

EditLine LineOf(std::string_view text) { return Insert({}, text); }

EditLine Insert(const EditLine& line, std::string_view text) {
  const std::string clean = WithoutControls(text);
  EditLine longer = line;
  longer.text.insert(line.cursor, clean);
  longer.cursor += clean.size();
  return longer;
}

EditLine DeleteBefore(const EditLine& line) {
  return Without(line, CharacterBefore(line.text, line.cursor), line.cursor);
}

EditLine DeleteAfter(const EditLine& line) {
  const size_t length = FirstCharacter(std::string_view(line.text).substr(line.cursor));
  return Without(line, line.cursor, line.cursor + length);
}

EditLine DeleteToStart(const EditLine& line) { return Without(line, 0, line.cursor); }

EditLine DeleteToEnd(const EditLine& line) { return Without(line, line.cursor, line.text.size()); }

EditLine DeleteWordBefore(const EditLine& line) {
  size_t begin = line.cursor;
  while (begin > 0 && line.text[begin - 1] == ' ') --begin;
  while (begin > 0 && line.text[begin - 1] != ' ') --begin;
  return Without(line, begin, line.cursor);
}

EditLine MoveLeft(const EditLine& line) {
  return {line.text, CharacterBefore(line.text, line.cursor)};
}

EditLine MoveRight(const EditLine& line) {
  return {line.text, line.cursor + FirstCharacter(std::string_view(line.text).substr(line.cursor))};
}

EditLine MoveToStart(const EditLine& line) { return {line.text, 0}; }
EditLine MoveToEnd(const EditLine& line) { return {line.text, line.text.size()}; }

VisibleLine VisiblePart(const EditLine& line, size_t columns) {
  std::string_view text = line.text;
  size_t before = DisplayColumns(text.substr(0, line.cursor));
  while (before >= columns && before > 0) {
    const size_t length = FirstCharacter(text);
    before -= DisplayColumns(text.substr(0, length));
    text.remove_prefix(length);
  }
  VisibleLine visible{.text = {}, .cursor_column = before};
  for (size_t used = 0; !text.empty();) {
    const std::string_view character = text.substr(0, FirstCharacter(text));
    used += DisplayColumns(character);
    if (used > columns) break;
    visible.text += character;
    text.remove_prefix(character.size());
  }
  return visible;
}

}  // namespace recall

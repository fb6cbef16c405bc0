#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace recall {

// A line that is being edited. Functions return the edited line; characters are whole, with their
// combining ones.
struct EditLine {
  std::string text;   // UTF-8 without control characters
  size_t cursor = 0;  // a byte of `text` at the start of a character, or its end

  bool operator==(const EditLine&) const = default;
};

// The line with the cursor at its end. Control characters become spaces.
EditLine LineOf(std::string_view text);

EditLine Insert(const EditLine& line, std::string_view text);
EditLine DeleteBefore(const EditLine& line);      // Backspace
EditLine DeleteAfter(const EditLine& line);       // Delete
EditLine DeleteToStart(const EditLine& line);     // Ctrl-U
EditLine DeleteToEnd(const EditLine& line);       // Ctrl-K
EditLine DeleteWordBefore(const EditLine& line);  // Ctrl-W
EditLine MoveLeft(const EditLine& line);
EditLine MoveRight(const EditLine& line);
EditLine MoveToStart(const EditLine& line);
EditLine MoveToEnd(const EditLine& line);

// The part of a line that is shown in `columns`, with the cursor in it.
struct VisibleLine {
  std::string text;
  size_t cursor_column = 0;  // below `columns`, unless that is 0
};
VisibleLine VisiblePart(const EditLine& line, size_t columns);

}  // namespace recall

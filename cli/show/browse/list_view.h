#pragma once

#include <cstddef>

namespace recall {

// What is seen of lists that are longer than their place. The renderer keeps it within the lists.
struct ListView {
  size_t first_row = 0;
  size_t rows = 0;  // of the list in the window
  // Rows by which the preview, or the text, was moved from where it begins by itself.
  ptrdiff_t preview_offset = 0;
  // Where its first row begins in the document; known of sessions.
  size_t top_byte = 0;
};

}  // namespace recall

#pragma once

// What `recall browse` shows, as rows of painted text. A pure function of the state, so that tests
// compare whole screens.

#include <cstddef>
#include <string>
#include <vector>

#include "cli/browse/browse_state.h"
#include "cli/terminal/terminal.h"

namespace recall {

enum class Paint { kPlain, kDim, kStrong, kPath, kScore, kMatch, kError };

// A piece of a row: printable characters only.
struct Span {
  std::string text;
  Paint paint = Paint::kPlain;
  bool chosen = false;  // in reverse video
};

using ScreenRow = std::vector<Span>;

struct Screen {
  std::vector<ScreenRow> rows;  // as many as the window has; none is wider than it
  size_t cursor_row = 0;
  size_t cursor_column = 0;
  BrowseView view;  // within the lists; it replaces that of the state
};

struct WindowSize {
  size_t rows = 24;
  size_t columns = 80;
};

// `style` tells how paths are named and whether block characters can be shown.
Screen Draw(const BrowseState& state, const WindowSize& size, const TextStyle& style);

// Returns: the line of the document where the preview of a hit has most words of the question.
uint32_t BestLine(const SearchHit& hit);

}  // namespace recall

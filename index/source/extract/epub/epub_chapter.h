#pragma once

#include <string>
#include <string_view>

#include "index/source/extract/epub/epub_package.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// Puts the chapters of a book together: their texts, divided by an empty line, and their places.
class EpubTextWriter final {
 public:
  explicit EpubTextWriter(const ExtractLimits& limits) : limits_(limits) {}

  // Appends an XHTML document. Returns: kText, also if it has no text; kTooLarge for one with too
  // many elements, kUnsupported for an unknown charset or if libgumbo is not installed, with
  // *reason. Text over the limit is cut.
  ExtractOutcome Append(std::string_view bytes, const EpubChapter& chapter, std::string* reason);

  // Whether the text has reached its limit. Nothing is appended after that.
  bool full() const { return full_; }

  // Adds text, spans, warnings and the outcome kText or kNoText to `facts`.
  Extraction Finish(Extraction facts);

 private:
  ExtractLimits limits_;
  bool full_ = false;
  Extraction book_;
};

}  // namespace recall

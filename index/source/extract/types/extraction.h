#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace recall {

// The unit in which places in an original file are counted.
enum class LocatorKind : uint8_t {
  kPage,       // of a PDF
  kParagraph,  // of a text document: DOCX, ODT
  kSlide,      // of a presentation; the range "notes" is the speaker's notes
  kSheet,      // of a spreadsheet; the range is a cell range, "B4:F9"
  kChapter,    // of an EPUB: a document of its spine
  kElement,    // of an HTML page: the nearest element before that has an id
  kMessage,    // a part of a mail message; the range is its part number, "1.2"
  kCell,       // of a notebook; the range is "source" or "output 1"
};

// A place in the original file.
struct Locator {
  LocatorKind kind = LocatorKind::kPage;
  int64_t number = 0;  // from 1: the page, paragraph, slide, sheet, chapter, cell; 0: not counted
  std::string name;    // a sheet's name, an element's id, a message id, a cell's id; else ""
  std::string range;   // within that; else ""

  friend bool operator==(const Locator&, const Locator&) = default;
};

// Bytes start..end (exclusive) of an extracted text are from one place.
struct LocatorSpan {
  uint64_t start = 0;
  uint64_t end = 0;
  Locator locator;

  friend bool operator==(const LocatorSpan&, const LocatorSpan&) = default;
};

// The result of reading a file.
enum class ExtractOutcome : uint8_t {
  kText,         // it has text
  kNoText,       // it is sound, but has none: scanned pages, an empty sheet
  kEncrypted,    // a password is needed
  kTooLarge,     // it exceeds a limit
  kUnsupported,  // a variant of the format that is not read; or a library that is not installed
  kDamaged,      // the rules of the format are broken
  kTimedOut,     // the worker was stopped after the time limit
  kCrashed,      // the worker ended before it had answered
};

// A file in a file: an attachment of a mail message.
struct AttachedFile {
  std::string name;  // as the file calls it; UTF-8, may contain anything else
  std::string bytes;
};

// The text and facts of a file. An extraction is a function of the file's bytes, the limits and the
// version of the extractor; it does not depend on locale, time zone and clock.
struct Extraction {
  ExtractOutcome outcome = ExtractOutcome::kText;
  // Why the outcome is not kText, for people: "page 3 of 7 has no end"; else "".
  std::string reason;
  // UTF-8 without NUL, Markdown-like where the format has structure: headings begin with "#". Lines
  // end with "\n".
  std::string text;
  // The spans ascend, do not overlap and are not empty. Text between two spans has no place.
  std::vector<LocatorSpan> spans;
  // Facts about the document, such as "title", "author", "created" (docs/formats.md): one value or
  // several. Dates are ISO 8601. Keys: lower case with "_".
  std::map<std::string, std::vector<std::string>> meta;
  std::vector<std::string> warnings;  // ascending codes: "columns_guessed", "truncated_output"
  std::vector<AttachedFile> files;
};

inline Extraction FailedExtraction(ExtractOutcome outcome, std::string reason) {
  Extraction extraction;
  extraction.outcome = outcome;
  extraction.reason = std::move(reason);
  return extraction;
}

struct ExtractLimits {
  uint64_t max_text_bytes = 64ull << 20;
  // Of all members of a container together, unpacked; and how much larger than the packed container
  // they may be once they exceed `free_unpacked_bytes`.
  uint64_t max_unpacked_bytes = 512ull << 20;
  uint64_t max_unpacked_ratio = 200;
  uint64_t free_unpacked_bytes = 16ull << 20;
  int64_t max_members = 100'000;  // of a container
  int64_t max_files = 1000;       // attached files
  int max_nesting = 8;            // of messages in messages
  int max_depth = 256;            // of elements in elements
};

}  // namespace recall

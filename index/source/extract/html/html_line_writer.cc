#include "index/source/extract/html/html_line_writer.h"

#include <utility>

namespace recall {
namespace {

constexpr size_t kMaxPrefixes = 12;
constexpr std::string_view kQuoteMarker = "> ";
constexpr std::string_view kTermTextMarker = ": ";

}  // namespace

HtmlLineWriter::HtmlLineWriter(std::string* out) : out_(*out) {
  if (!out_.empty() && !out_.ends_with('\n')) out_ += '\n';
  first_line_ = out_.empty();
}

void HtmlLineWriter::OpenItem(int32_t node, std::string marker, bool is_first_item) {
  std::string further(marker.size(), ' ');
  containers_.push_back({node, std::move(marker), std::move(further), true, is_first_item});
}

void HtmlLineWriter::OpenTermText(int32_t node) {
  containers_.push_back({node, std::string(kTermTextMarker), "  ", true, false});
}

void HtmlLineWriter::OpenQuote(int32_t node) {
  containers_.push_back({node, std::string(kQuoteMarker), std::string(kQuoteMarker), false, false});
}

void HtmlLineWriter::Close(int32_t node) {
  if (!containers_.empty() && containers_.back().node == node) containers_.pop_back();
}

bool HtmlLineWriter::IsInQuote() const {
  return std::ranges::any_of(containers_,
                             [](const Container& one) { return one.marker == kQuoteMarker; });
}

void HtmlLineWriter::Line(std::string_view line, std::string_view id, bool with_prefix) {
  WriteSeparator(with_prefix);
  if (marks_.empty() || marks_.back().id != id) marks_.push_back({out_.size(), id});
  if (with_prefix) WritePrefixes();
  out_ += line;
  out_ += '\n';
}

// Writes what must precede a line. The text ends with the new line of the line before.
void HtmlLineWriter::WriteSeparator(bool with_prefix) {
  int lines = break_;
  if (with_prefix && !containers_.empty() && containers_.back().waits) {
    lines = containers_.back().is_first_item ? 2 : 1;
  }
  if (lines == 2 && !first_line_) {
    if (with_prefix && IsInStartedQuote()) WriteEmptyPrefixes();
    out_ += '\n';
  }
  first_line_ = false;
  break_ = 1;
}

// An empty line has the marks of a quote only if the quote has begun.
bool HtmlLineWriter::IsInStartedQuote() const {
  return quote_lines_ > 0 && !containers_.empty() && containers_.back().marker == kQuoteMarker;
}

void HtmlLineWriter::WriteEmptyPrefixes() {
  const size_t start = out_.size();
  for (size_t i = 0; i < std::min(containers_.size(), kMaxPrefixes); ++i) {
    out_ += containers_[i].further;
  }
  while (out_.size() > start && out_.back() == ' ') out_.pop_back();
}

void HtmlLineWriter::WritePrefixes() {
  bool quoted = false;
  for (size_t i = 0; i < containers_.size(); ++i) {
    Container& container = containers_[i];
    if (i < kMaxPrefixes) {
      quoted = quoted || container.marker == kQuoteMarker;
      out_ += container.waits ? container.marker : container.further;
    }
    container.waits = false;
  }
  quote_lines_ = quoted ? quote_lines_ + 1 : 0;
}

}  // namespace recall

#include "index/source/extract/markdown/markdown_writer.h"

#include <algorithm>
#include <cstring>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

// Text after this number of spans gets no place: a hostile file could have one in three bytes.
constexpr size_t kMostSpans = 500'000;

bool IsBlankChar(char c) { return c == ' ' || c == '\t'; }

std::string_view TrimmedBlanks(std::string_view text) {
  while (!text.empty() && (IsBlankChar(text.front()) || text.front() == '\n'))
    text.remove_prefix(1);
  while (!text.empty() && (IsBlankChar(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

// Whether Markdown would read more than a line of text in this line, so that what follows it would
// get another meaning, too.
bool IsMarkup(std::string_view line) {
  const size_t indentation = std::min(line.find_first_not_of(" \t"), line.size());
  std::string_view text = line.substr(indentation);
  while (!text.empty() && IsBlankChar(text.back())) text.remove_suffix(1);
  if (text.empty()) return false;
  switch (text.front()) {
    case '#': {
      const size_t level = std::min(text.find_first_not_of('#'), text.size());
      return level <= 6 && (level == text.size() || IsBlankChar(text[level]));
    }
    case '=':
    case '-':
      return text.find_first_not_of(text.front()) == text.npos;
    case '`':
    case '~':
      return text.starts_with("```") || text.starts_with("~~~");
    case '<':
      return text.starts_with("<!--") || text.starts_with("<script") ||
             text.starts_with("<style") || text.starts_with("<pre") ||
             text.starts_with("<textarea");
    default:
      return false;
  }
}

// Appends the lines of `text`, which is clean; those after the first one are indented.
void AppendLines(std::string_view text, size_t indentation, std::string* out) {
  bool first = true;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    while (!line.empty() && IsBlankChar(line.back())) line.remove_suffix(1);
    begin = end + 1;
    if (!first && !line.empty()) out->append(indentation, ' ');
    if (IsMarkup(line)) {
      const size_t blanks = line.find_first_not_of(" \t");
      out->append(line.substr(0, blanks));
      *out += '\\';
      line.remove_prefix(blanks);
    }
    out->append(line);
    *out += '\n';
    first = false;
  }
}

bool NeedsCleaning(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f || byte == 0xe2) return true;
  }
  return !IsValidUtf8(text);
}

}  // namespace

void AppendCleanText(std::string_view text, std::string* out) {
  if (!NeedsCleaning(text)) {
    out->append(text);
    return;
  }
  std::string repaired;
  if (!IsValidUtf8(text)) {
    AppendRepairedUtf8(text, &repaired);
    text = repaired;
  }
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<uint8_t>(c);
    if (c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') *out += '\n';
    } else if (c == '\v' || c == '\f') {
      *out += '\n';
    } else if (byte == 0xe2 && (text.substr(i, 3) == "\u2028" || text.substr(i, 3) == "\u2029")) {
      *out += '\n';
      i += 2;
    } else if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
      *out += c;
    }
  }
}

std::string OneLine(std::string_view text) {
  std::string clean;
  AppendCleanText(text, &clean);
  size_t size = 0;
  bool gap = false;
  for (const char c : clean) {
    if (c == ' ' || c == '\t' || c == '\n') {
      gap = size != 0;
      continue;
    }
    if (gap) clean[size++] = ' ';
    gap = false;
    clean[size++] = c;
  }
  clean.resize(size);
  return clean;
}

void MarkdownWriter::Write(Kind kind, std::string_view block) {
  if (full_ || block.empty()) return;
  const bool joined = kind == last_ && kind != Kind::kOther;
  const size_t gap = text_.empty() || joined ? 0 : 1;
  const uint64_t left = most_ - text_.size();
  if (block.size() + gap > left) {
    full_ = true;
    // The last byte is that of the end of the line.
    const size_t fits = left <= gap + 1 ? 0 : FloorToCharacter(block, left - gap - 1);
    block = block.substr(0, fits);
    while (!block.empty() && (IsBlankChar(block.back()) || block.back() == '\n')) {
      block.remove_suffix(1);
    }
    if (block.empty()) return;
  }
  const bool follows = !spans_.empty() && spans_.back().end == text_.size();
  text_.append(gap, '\n');
  const uint64_t start = text_.size();
  text_ += block;
  if (block.back() != '\n') text_ += '\n';
  last_ = kind;
  if (!locator_) return;
  if (follows && spans_.back().locator == *locator_) {
    spans_.back().end = text_.size();
  } else if (spans_.size() < kMostSpans) {
    spans_.push_back({start, text_.size(), *locator_});
  }
}

void MarkdownWriter::Heading(int level, std::string_view title) {
  if (full_) return;
  const std::string line = OneLine(title);
  if (line.empty()) return;
  block_.assign(static_cast<size_t>(std::clamp(level, 1, 6)), '#');
  block_.append(" ").append(line).append("\n");
  Write(Kind::kOther, block_);
}

void MarkdownWriter::Paragraph(std::string_view text) {
  if (full_) return;
  clean_.clear();
  AppendCleanText(text, &clean_);
  block_.clear();
  AppendLines(TrimmedBlanks(clean_), 0, &block_);
  Write(Kind::kOther, block_);
}

void MarkdownWriter::ListItem(int level, std::string_view marker, std::string_view text) {
  if (full_) return;
  clean_.clear();
  AppendCleanText(text, &clean_);
  const std::string_view trimmed = TrimmedBlanks(clean_);
  if (trimmed.empty()) return;
  constexpr int kMostLevels = 8;
  block_.assign(static_cast<size_t>(std::clamp(level, 0, kMostLevels)) * 2, ' ');
  block_.append(OneLine(marker)).append(" ");
  const size_t indentation = block_.size();
  AppendLines(trimmed, indentation, &block_);
  Write(Kind::kItem, block_);
}

void MarkdownWriter::Row(std::span<const std::string> cells) {
  if (full_) return;
  clean_.clear();
  bool any = false;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) clean_ += '\t';
    const std::string cell = OneLine(cells[i]);
    any = any || !cell.empty();
    clean_ += cell;
  }
  if (!any) return;
  block_.clear();
  AppendLines(clean_, 0, &block_);
  Write(Kind::kRow, block_);
}

void MarkdownWriter::Code(std::string_view text, std::string_view language) {
  if (full_) return;
  clean_.clear();
  AppendCleanText(text, &clean_);
  while (!clean_.empty() && clean_.back() == '\n') clean_.pop_back();
  if (TrimmedBlanks(clean_).empty()) return;
  size_t longest = 2;
  size_t run = 0;
  for (const char c : clean_) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string name = OneLine(language);
  std::erase_if(name, [](char c) { return c == '`' || c == ' '; });
  block_ = fence + name + "\n" + clean_ + "\n" + fence + "\n";
  Write(Kind::kOther, block_);
}

Extraction MarkdownWriter::Finish(Extraction facts) {
  facts.outcome = text_.empty() ? ExtractOutcome::kNoText : ExtractOutcome::kText;
  if (text_.empty() && facts.reason.empty()) facts.reason = "it has no text";
  if (!text_.empty()) facts.reason.clear();
  facts.text = std::move(text_);
  facts.spans = std::move(spans_);
  if (full_) facts.warnings.emplace_back("truncated_output");
  std::ranges::sort(facts.warnings);
  facts.warnings.erase(std::ranges::unique(facts.warnings).begin(), facts.warnings.end());
  return facts;
}

}  // namespace recall

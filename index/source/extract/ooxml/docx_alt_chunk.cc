#include "index/source/extract/ooxml/docx_alt_chunk.h"

#include <algorithm>
#include <optional>
#include <string>

#include "index/source/extract/charset/text_bytes.h"
#include "index/source/extract/html/html_extractor.h"
#include "index/source/extract/mail/mhtml_page.h"

namespace recall {
namespace {

bool HasSuffix(std::string_view part, std::string_view suffix) {
  if (part.size() < suffix.size()) return false;
  const std::string_view end = part.substr(part.size() - suffix.size());
  return std::ranges::equal(
      end, suffix, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

// Writes Markdown again, as blocks of the document.
void WriteMarkdownBlocks(std::string_view text, MarkdownWriter* writer) {
  while (!text.empty()) {
    const size_t end = std::min(text.find("\n\n"), text.size());
    std::string_view block = text.substr(0, end);
    text.remove_prefix(std::min(text.find_first_not_of('\n', end), text.size()));
    if (block.ends_with('\n')) block.remove_suffix(1);
    const size_t level = std::min(block.find_first_not_of('#'), block.size());
    const bool is_heading = level > 0 && level <= 6 && block.substr(level).starts_with(' ');
    if (is_heading) {
      writer->Heading(static_cast<int>(level), block.substr(level + 1));
    } else {
      writer->Paragraph(block);
    }
  }
}

}  // namespace

Status WriteAltChunk(std::string_view part, std::string_view bytes, const ExtractLimits& limits,
                     MarkdownWriter* writer) {
  if (HasSuffix(part, ".txt")) {
    RECALL_ASSIGN(const auto decoded, DecodeTextBytes(bytes, ""));
    WriteMarkdownBlocks(decoded ? decoded->text : bytes, writer);
    return {};
  }
  std::optional<std::string> page = MhtmlPage(bytes, limits);
  const size_t first = std::min(bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF"), bytes.size());
  const bool is_page = HasSuffix(part, ".htm") || HasSuffix(part, ".html") ||
                       HasSuffix(part, ".xhtml") || bytes.substr(first).starts_with('<');
  if (!page && !is_page) {
    return Status::Unsupported("the format of the imported part " + std::string(part) +
                               " is not read");
  }
  Extraction read;
  const ExtractOutcome outcome = AppendHtmlPage(
      page ? *page : bytes, "", limits, [](std::string_view) { return std::nullopt; }, &read,
      nullptr);
  WriteMarkdownBlocks(read.text, writer);
  return outcome == ExtractOutcome::kUnsupported ? Status::Unsupported(read.reason) : Status();
}

}  // namespace recall

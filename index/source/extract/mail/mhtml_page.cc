#include "index/source/extract/mail/mhtml_page.h"

#include <memory>

#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/mail/mail_parts.h"
#include "index/source/extract/mail/mail_transfer.h"

namespace recall {
namespace {

const MailPart* FirstHtmlPart(const MailPart& part) {
  if (part.children.empty()) return part.type == "text/html" ? &part : nullptr;
  for (const MailPart& child : part.children) {
    if (const MailPart* const found = FirstHtmlPart(child)) return found;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> MhtmlPage(std::string_view bytes, const ExtractLimits& limits) {
  MailNotes notes;
  MailShape shape;
  const std::unique_ptr<MailMessage> message = ReadMailParts(bytes, limits, &notes, &shape);
  if (shape.outcome != ExtractOutcome::kText || message->header.fields == 0) return std::nullopt;
  const MailPart* const html = FirstHtmlPart(message->root);
  if (html == nullptr) return std::nullopt;
  std::string storage;
  const std::string_view page = DecodeMailTransfer(html->body, html->encoding, &storage);
  // Without a charset in the header, what the page says about itself counts.
  if (html->charset.empty()) return std::string(page);
  std::string text = "\xEF\xBB\xBF";
  AppendInCharset(page, html->charset, &text);
  return text;
}

}  // namespace recall

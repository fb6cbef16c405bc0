#include "index/write/ingest/document_language.h"

#include "index/base/text/language.h"
#include "index/source/chunk/parser.h"

namespace recall {

bool HasLanguage(const DocRow& doc, std::string_view asked) {
  if (!doc.language.is_given || asked == kDetectLanguage) return false;
  return doc.language.code == (asked == kNoLanguage ? std::string_view() : asked);
}

void SettleLanguage(std::string_view text, const std::optional<std::string>& asked,
                    const std::optional<DocRow>& live, DocRow* doc) {
  const bool detects = asked == kDetectLanguage;
  if (asked && !detects) {
    doc->language = {*asked == kNoLanguage ? std::string() : *asked, true};
  } else if (!detects && live && (live->language.is_given || live->hash == doc->hash)) {
    doc->language = live->language;
  } else if (doc->parser != ParserName(Parser::kCode)) {
    doc->language.code = DetectLanguage(text);
  }
}

}  // namespace recall

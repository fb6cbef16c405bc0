#include "query/ask/rows/locators.h"

#include <utility>

#include "index/source/extract/types/locator_record.h"
#include "index/source/extract/types/locator_text.h"

namespace recall {

Result<const std::vector<LocatorSpan>*> LocatorReader::SpansOf(const DocRow& doc) {
  static const std::vector<LocatorSpan> kNone;
  if (doc.row == last_plain_) return &kNone;
  const auto known = spans_.find(doc.row);
  if (known != spans_.end()) return &known->second;
  RECALL_ASSIGN(const auto extraction, texts_.ReadExtraction(doc.row));
  if (!extraction) {
    last_plain_ = doc.row;
    return &kNone;
  }
  auto decoded = DecodeLocatorSpans(extraction->spans, static_cast<uint64_t>(doc.size));
  if (!decoded) {
    return Fail(Status::Corruption("the record of the places of " + doc.path + " is damaged",
                                   "run `recall doctor`, or add the file again"));
  }
  return &spans_.emplace(doc.row, *std::move(decoded)).first->second;
}

Result<std::optional<LocatorView>> LocatorReader::Find(const DocRow& doc, uint64_t start,
                                                       uint64_t end) {
  RECALL_ASSIGN(const std::vector<LocatorSpan>* spans, SpansOf(doc));
  const auto found = LocatorsOf(*spans, start, end);
  if (!found) return std::nullopt;
  return LocatorView{.kind = std::string(LocatorKindName(found->first.kind)),
                     .from = LocatorName(found->first),
                     .to = LocatorName(found->second),
                     .text = LocatorText(found->first, found->second)};
}

}  // namespace recall

#include "index/write/ingest/extracted_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "index/source/extract/types/locator_record.h"
#include "index/source/extract/types/locator_text.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

constexpr const char* kGivenMark = "+given+";

// Whether a file that was extracted before, and has not changed, is extracted again: a failure that
// a newer extractor may not have, or what the user asks for.
bool IsTriedAgain(const ExtractionRow& before, ExtractAgain again, const std::string& now) {
  if (again.all) return true;
  // Pages are read in another way, or the user has another program for them.
  const auto way = [](std::string_view name) { return name.substr(0, name.find('/')); };
  if (way(before.extractor) != way(now)) return true;
  if (before.outcome == OutcomeName(ExtractOutcome::kText)) return false;
  if (again.failed) return true;
  if (again.encrypted && before.outcome == OutcomeName(ExtractOutcome::kEncrypted)) return true;
  const bool may_succeed_later = before.outcome == OutcomeName(ExtractOutcome::kNoText) ||
                                 before.outcome == OutcomeName(ExtractOutcome::kUnsupported) ||
                                 before.outcome == OutcomeName(ExtractOutcome::kDamaged);
  return may_succeed_later && before.extractor != now;
}

std::string JoinWarnings(const std::vector<std::string>& warnings) {
  std::string joined;
  for (const std::string& warning : warnings) {
    joined += (joined.empty() ? "" : " ") + warning;
  }
  return joined;
}

// The metadata of a document: what the extractor found, and how.
std::string ExtractionMeta(const Extraction& extraction, const ExtractionRow& row) {
  std::map<std::string, std::vector<std::string>> facts = extraction.meta;
  facts["format"] = {row.format};
  facts["extracted"] = {row.outcome};
  facts["extractor"] = {row.extractor};
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  for (const auto& [key, values] : facts) {
    if (values.size() == 1) {
      json.Field(key, std::string_view(values.front()));
    } else if (!values.empty()) {
      json.Key(key);
      json.Value(values);
    }
  }
  json.EndObject();
  return text;
}

std::vector<size_t> LineStarts(std::string_view text) {
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  starts.push_back(text.size());
  return starts;
}

}  // namespace

std::optional<ExtractedText> ExtractText(std::string_view bytes, const ExtractorChoice& extractor,
                                         const std::optional<ExtractionRow>& before,
                                         ExtractAgain again, ExtractorPool& extractors) {
  ExtractedText extracted;
  ExtractionRow& row = extracted.row;
  row.format = extractor.format_name();
  row.original_hash = Sha256(bytes);
  row.original_size = static_cast<int64_t>(bytes.size());
  row.extractor = extractors.ExtractorName(extractor);
  if (before && before->original_hash == row.original_hash && before->format == row.format &&
      !IsTriedAgain(*before, again, row.extractor)) {
    return std::nullopt;
  }
  Extraction extraction = extractors.Extract(extractor, bytes);
  row.outcome = OutcomeName(extraction.outcome);
  row.reason = std::move(extraction.reason);
  row.warnings = JoinWarnings(extraction.warnings);
  row.spans = EncodeLocatorSpans(extraction.spans);
  extracted.meta = ExtractionMeta(extraction, row);
  extracted.text = std::move(extraction.text);
  extracted.files = std::move(extraction.files);
  return extracted;
}

ExtractionRow RowOfDecoded(const OriginalOfText& original) {
  ExtractionRow row;
  row.format = kDecodedFormat;
  row.original_hash = original.hash;
  row.original_size = original.size;
  row.extractor =
      std::string(kTextDecoder) + (original.is_given ? kGivenMark : "+") + original.charset;
  row.outcome = OutcomeName(ExtractOutcome::kText);
  if (original.replaced > 0) row.warnings = "charset_wrong";
  row.spans = EncodeLocatorSpans({});
  return row;
}

std::string MetaOfDecoded(const OriginalOfText& original, const ExtractionRow& row,
                          std::string_view front_matter) {
  auto meta = front_matter.empty() ? nlohmann::json::object() : nlohmann::json::parse(front_matter);
  meta["charset"] = original.charset;
  meta["format"] = row.format;
  meta["extracted"] = row.outcome;
  meta["extractor"] = row.extractor;
  return meta.dump();
}

std::string CharsetOf(const ExtractionRow& row) {
  return row.extractor.substr(row.extractor.rfind('+') + 1);
}

std::string GivenCharsetOf(const ExtractionRow& row) {
  return row.extractor.find(kGivenMark) == std::string::npos ? "" : CharsetOf(row);
}

std::string SpansOfRedacted(const Redactor& redactor, std::string_view record,
                            std::string_view before, std::string_view after) {
  auto spans = DecodeLocatorSpans(record, before.size());
  const std::vector<size_t> from = LineStarts(before);
  const std::vector<size_t> to = LineStarts(after);
  if (!spans || from.size() != to.size()) return EncodeLocatorSpans({});
  // A place within a line moves to at most the end of the line.
  const auto moved = [&](uint64_t at) {
    const size_t line =
        static_cast<size_t>(std::upper_bound(from.begin(), from.end() - 1, at) - from.begin()) - 1;
    return std::min<uint64_t>(to[line] + (at - from[line]), to[line + 1]);
  };
  std::vector<LocatorSpan> mapped;
  for (LocatorSpan& span : *spans) {
    span.start = moved(span.start);
    span.end = moved(span.end);
    for (std::string* name : {&span.locator.name, &span.locator.range}) {
      if (!name->empty()) *name = CleanLocatorText(redactor.Redact(*name, nullptr));
    }
    if (span.start < span.end) mapped.push_back(std::move(span));
  }
  return EncodeLocatorSpans(mapped);
}

}  // namespace recall

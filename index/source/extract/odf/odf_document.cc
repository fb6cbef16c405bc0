#include "index/source/extract/odf/odf_document.h"

#include <set>
#include <string>
#include <utility>

#include "index/source/extract/container/extract_failure.h"
#include "index/source/extract/container/xml_events.h"
#include "index/source/extract/container/zip_container.h"
#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/odf/odf_metadata.h"
#include "index/source/extract/odf/odf_names.h"
#include "index/source/extract/odf/odf_reader.h"

namespace recall {
namespace {

constexpr std::string_view kOdfContent = "content.xml";
constexpr size_t kMostOdfObjectBytes = 64 << 10;

// Reads META-INF/manifest.xml, which says whether the content of a package is encrypted.
class OdfManifest final : public XmlHandler {
 public:
  bool Start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    if (name == "manifest:file-entry") path_ = OdfAttribute(attributes, "manifest:full-path");
    // In ODF 1.4 the whole package is one encrypted entry of another package.
    if (name == "manifest:encryption-data" &&
        (path_ == kOdfContent || path_ == "encrypted-package")) {
      encrypted_ = true;
    }
    return !encrypted_;
  }
  bool End(std::string_view /*name*/) override { return true; }
  bool Text(std::string_view /*text*/) override { return true; }
  bool encrypted() const { return encrypted_; }

 private:
  std::string path_;
  bool encrypted_ = false;
};

// Reads the text of an embedded object: a formula, a chart without its data, or any other document.
class OdfObjectReader final : public XmlHandler {
 public:
  bool Start(std::string_view name, std::span<const XmlAttribute> /*attributes*/) override {
    const OdfElement element = OdfElementOf(name);
    if (skipped_ > 0 || element == OdfElement::kSkipped ||
        (in_chart_ && element == OdfElement::kTable)) {
      ++skipped_;
      return true;
    }
    in_chart_ = in_chart_ || element == OdfElement::kChart;
    if (element == OdfElement::kMath) formula_ = true;
    if (element == OdfElement::kMathAnnotation) in_annotation_ = true;
    if (element == OdfElement::kParagraph || element == OdfElement::kHeading) ++paragraphs_;
    return true;
  }
  bool End(std::string_view name) override {
    if (skipped_ > 0) {
      --skipped_;
      return true;
    }
    const OdfElement element = OdfElementOf(name);
    if (element == OdfElement::kMathAnnotation) in_annotation_ = false;
    if (element == OdfElement::kParagraph || element == OdfElement::kHeading) {
      --paragraphs_;
      text_ += ' ';
    }
    return text_.size() < kMostOdfObjectBytes;
  }
  bool Text(std::string_view text) override {
    if (skipped_ > 0) return true;
    if (in_annotation_) {
      annotation_.append(text);
    } else if (formula_) {
      text_.append(text).append(" ");
    } else if (paragraphs_ > 0) {
      text_.append(text);
    }
    return text_.size() < kMostOdfObjectBytes && annotation_.size() < kMostOdfObjectBytes;
  }
  OdfObject Object() const {
    return {OneLine(formula_ && !annotation_.empty() ? annotation_ : text_), formula_};
  }

 private:
  int skipped_ = 0;
  int paragraphs_ = 0;
  bool in_chart_ = false, formula_ = false, in_annotation_ = false;
  std::string text_, annotation_;
};

// Reads each object of a package once. The text of an object that cannot be read is empty.
class OdfObjects final {
 public:
  OdfObjects(ZipContainer* package, int max_depth) : package_(package), max_depth_(max_depth) {}

  OdfObject Read(std::string_view reference) {
    const std::string name = ResolveEntryName(kOdfContent, reference);
    if (package_ == nullptr || name.empty() || !read_.insert(name).second) return {};
    const std::string content = name + "/content.xml";
    if (package_->Find(content) == nullptr) return {};
    OdfObjectReader reader;
    ReadXmlEntry(package_, content, OdfNamespaces(), max_depth_, &reader).IgnoreError();
    return reader.Object();
  }

 private:
  ZipContainer* package_;
  int max_depth_;
  std::set<std::string> read_;
};

Extraction NotAnOdf() {
  return FailedExtraction(ExtractOutcome::kUnsupported,
                          "it is no OpenDocument file: the root of its XML is another element");
}

Extraction FinishOdf(const OdfReader& reader, Extraction facts, MarkdownWriter* writer) {
  if (reader.body() == OdfBodyKind::kNone) {
    return FailedExtraction(ExtractOutcome::kUnsupported,
                            "it is neither a text, nor a presentation, nor a spreadsheet");
  }
  facts.meta = OdfMetadata(reader.facts());
  return writer->Finish(std::move(facts));
}

bool IsFlatOdf(std::string_view bytes) {
  const size_t begin = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return begin != bytes.npos && begin < 64 &&
         (bytes[begin] == '<' || bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"));
}

Extraction ExtractFlatOdf(std::string_view bytes, const ExtractLimits& limits) {
  MarkdownWriter writer(limits);
  OdfReader reader(&writer, [](std::string_view) { return OdfObject(); });
  reader.Begin(false);
  const Status read = ReadXml(bytes, OdfNamespaces(), limits.max_depth, &reader);
  if (!read.ok()) return FailedExtractionOf(read);
  if (!reader.is_document()) return NotAnOdf();
  return FinishOdf(reader, {}, &writer);
}

Extraction ExtractPackedOdf(std::string_view bytes, const ExtractLimits& limits) {
  auto opened = ZipContainer::Open(bytes, limits);
  if (!opened) return FailedExtractionOf(opened.error());
  ZipContainer package = std::move(*opened);
  constexpr std::string_view kManifest = "META-INF/manifest.xml";
  if (package.Find(kManifest) != nullptr) {
    OdfManifest manifest;
    const Status read =
        ReadXmlEntry(&package, kManifest, OdfNamespaces(), limits.max_depth, &manifest);
    if (read.code() == StatusCode::kLimitExceeded) return FailedExtractionOf(read);
    if (manifest.encrypted()) {
      return FailedExtraction(ExtractOutcome::kEncrypted, "a password is needed");
    }
  }
  if (package.Find(kOdfContent) == nullptr) {
    return FailedExtraction(ExtractOutcome::kDamaged, "the package has no content.xml");
  }
  Extraction facts;
  MarkdownWriter writer(limits);
  OdfObjects objects(&package, limits.max_depth);
  OdfReader reader(&writer, [&](std::string_view name) { return objects.Read(name); });
  for (const std::string_view part :
       {std::string_view("meta.xml"), std::string_view("styles.xml"), kOdfContent}) {
    if (package.Find(part) == nullptr) continue;
    reader.Begin(part == "styles.xml");
    const Status read = ReadXmlEntry(&package, part, OdfNamespaces(), limits.max_depth, &reader);
    if (read.ok() && (part != kOdfContent || reader.is_document())) continue;
    if (read.ok()) return NotAnOdf();
    if (part == kOdfContent || read.code() == StatusCode::kLimitExceeded ||
        read.code() == StatusCode::kUnsupported) {
      return FailedExtractionOf(read);
    }
    facts.warnings.emplace_back("damaged_parts");
  }
  return FinishOdf(reader, std::move(facts), &writer);
}

Extraction ExtractOdf(std::string_view bytes, const ExtractLimits& limits) {
  return LooksLikeZip(bytes) || !IsFlatOdf(bytes) ? ExtractPackedOdf(bytes, limits)
                                                  : ExtractFlatOdf(bytes, limits);
}

}  // namespace

Extraction ExtractOdt(std::string_view bytes, const ExtractLimits& limits) {
  return ExtractOdf(bytes, limits);
}
Extraction ExtractOdp(std::string_view bytes, const ExtractLimits& limits) {
  return ExtractOdf(bytes, limits);
}
Extraction ExtractOds(std::string_view bytes, const ExtractLimits& limits) {
  return ExtractOdf(bytes, limits);
}

}  // namespace recall

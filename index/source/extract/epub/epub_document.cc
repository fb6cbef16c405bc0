#include "index/source/extract/epub/epub_document.h"

#include <string>
#include <utility>
#include <vector>

#include "index/source/extract/container/extract_failure.h"
#include "index/source/extract/container/xml_tree.h"
#include "index/source/extract/container/zip_container.h"
#include "index/source/extract/epub/epub_chapter.h"
#include "index/source/extract/epub/epub_names.h"
#include "index/source/extract/epub/epub_package.h"
#include "index/source/extract/epub/epub_protection.h"

namespace recall {
namespace {

Extraction ProtectedEpub(const ZipContainer& container) {
  return FailedExtraction(ExtractOutcome::kUnsupported,
                          "it is protected (DRM: " + ProtectionName(container) + ")");
}

std::string EscapedXmlText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<' || c == '&') {
      escaped += c == '<' ? "&lt;" : "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// Extracts the chapters of a book, and collects warnings about those that cannot be read.
class EpubBook final {
 public:
  // `container` and `limits` must outlive this.
  EpubBook(ZipContainer* container, EpubPackage package, const ExtractLimits& limits)
      : container_(*container),
        limits_(limits),
        chapters_(std::move(package.chapters)),
        writer_(limits) {
    facts_.meta = std::move(package.meta);
    facts_.warnings = std::move(package.warnings);
  }

  Extraction Extract() {
    for (const EpubChapter& chapter : chapters_) {
      if (writer_.full()) break;
      const Status read = ReadChapter(chapter);
      if (!read.ok()) return FailedExtractionOf(read);
    }
    if (read_chapters_ == 0) return FailedExtraction(first_outcome_, first_reason_);
    return writer_.Finish(std::move(facts_));
  }

 private:
  // A missing or damaged chapter is left out. Errors: those that end the extraction.
  Status ReadChapter(const EpubChapter& chapter) {
    if (chapter.entry.empty() || container_.Find(chapter.entry) == nullptr) {
      LeaveOut(chapter, "missing_chapters", ExtractOutcome::kDamaged, "it is missing");
      return {};
    }
    if (chapter.is_svg) return ReadSvg(chapter);
    if (!chapter.is_markup) {
      facts_.warnings.emplace_back("unread_chapters");
      ++read_chapters_;
      return {};
    }
    const auto page = container_.Read(chapter.entry);
    if (!page) return LeaveOutDamaged(chapter, page.error());
    return Write(chapter, *page);
  }

  // Reads the texts of a picture, such as a page of a comic: its title, description and lines.
  Status ReadSvg(const EpubChapter& chapter) {
    const auto tree =
        XmlTree::ReadEntry(&container_, chapter.entry, EpubNamespaces(), limits_.max_depth);
    if (!tree) return LeaveOutDamaged(chapter, tree.error());
    std::string page;
    const XmlNode root = tree->root();
    for (XmlNode node = root; node; node = node.NextInDocument(root)) {
      const std::string_view name = LocalXmlName(node.name());
      if (name != "title" && name != "desc" && name != "text") continue;
      page += "<p>" + EscapedXmlText(node.TextContent()) + "</p>\n";
    }
    return Write(chapter, "<html><body>" + page + "</body></html>");
  }

  Status LeaveOutDamaged(const EpubChapter& chapter, const Status& error) {
    if (error.code() != StatusCode::kCorruption) return error;
    LeaveOut(chapter, "damaged_chapters", ExtractOutcome::kDamaged, error.message());
    return {};
  }

  Status Write(const EpubChapter& chapter, const std::string& page) {
    std::string reason;
    const ExtractOutcome outcome = writer_.Append(page, chapter, &reason);
    if (outcome == ExtractOutcome::kText) {
      ++read_chapters_;
    } else {
      LeaveOut(chapter, "unread_chapters", outcome, reason);
    }
    return {};
  }

  void LeaveOut(const EpubChapter& chapter, const char* warning, ExtractOutcome outcome,
                std::string_view why) {
    facts_.warnings.emplace_back(warning);
    if (first_outcome_ != ExtractOutcome::kText) return;
    first_outcome_ = outcome;
    first_reason_ = "chapter " + std::to_string(chapter.number) + ": " + std::string(why);
  }

  ZipContainer& container_;
  const ExtractLimits& limits_;
  const std::vector<EpubChapter> chapters_;
  EpubTextWriter writer_;
  Extraction facts_;
  size_t read_chapters_ = 0;
  // Of the first chapter that was left out; kText: none was.
  ExtractOutcome first_outcome_ = ExtractOutcome::kText;
  std::string first_reason_;
};

}  // namespace

Extraction ExtractEpub(std::string_view bytes, const ExtractLimits& limits) {
  auto opened = ZipContainer::Open(bytes, limits);
  if (!opened) return FailedExtractionOf(opened.error());
  ZipContainer container = std::move(*opened);
  const auto encrypted = EncryptedEntries(&container, limits.max_depth);
  if (!encrypted) return FailedExtractionOf(encrypted.error());
  auto package = ReadEpubPackage(&container, limits);
  if (!package) return FailedExtractionOf(package.error());
  if (package->chapters.empty()) {
    return FailedExtraction(ExtractOutcome::kDamaged, "its spine names no documents");
  }
  for (const EpubChapter& chapter : package->chapters) {
    if (encrypted->contains(chapter.entry)) return ProtectedEpub(container);
  }
  return EpubBook(&container, *std::move(package), limits).Extract();
}

}  // namespace recall

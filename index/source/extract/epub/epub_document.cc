#include "index/source/extract/epub/epub_document.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "index/source/extract/container/extract_failure.h"
#include "index/source/extract/container/zip_container.h"
#include "index/source/extract/epub/epub_chapter.h"
#include "index/source/extract/epub/epub_package.h"
#include "index/source/extract/epub/epub_protection.h"

namespace recall {
namespace {

Extraction ProtectedEpub(const ZipContainer& container) {
  return FailedExtraction(ExtractOutcome::kUnsupported,
                          "it is protected (DRM: " + ProtectionName(container) + ")");
}

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

  Extraction facts;
  facts.meta = std::move(package->meta);
  facts.warnings = std::move(package->warnings);
  EpubTextWriter writer(limits);
  size_t read_chapters = 0;
  // The first chapter that could not be read.
  ExtractOutcome first_outcome = ExtractOutcome::kText;
  std::string first_reason;
  const auto leave_out = [&](const EpubChapter& chapter, const char* warning,
                             ExtractOutcome outcome, std::string_view why) {
    facts.warnings.emplace_back(warning);
    if (first_outcome != ExtractOutcome::kText) return;
    first_outcome = outcome;
    first_reason = "chapter " + std::to_string(chapter.number) + ": " + std::string(why);
  };
  for (const EpubChapter& chapter : package->chapters) {
    if (writer.full()) break;
    if (chapter.entry.empty() || container.Find(chapter.entry) == nullptr) {
      leave_out(chapter, "missing_chapters", ExtractOutcome::kDamaged, "it is missing");
      continue;
    }
    if (!chapter.is_markup) {
      facts.warnings.emplace_back("unread_chapters");
      ++read_chapters;
      continue;
    }
    const auto page = container.Read(chapter.entry);
    if (!page && page.error().code() != StatusCode::kCorruption) {
      return FailedExtractionOf(page.error());
    }
    if (!page) {
      leave_out(chapter, "damaged_chapters", ExtractOutcome::kDamaged, page.error().message());
      continue;
    }
    std::string reason;
    const ExtractOutcome outcome = writer.Append(*page, chapter, &reason);
    if (outcome == ExtractOutcome::kText) {
      ++read_chapters;
    } else {
      leave_out(chapter, "unread_chapters", outcome, reason);
    }
  }
  if (read_chapters == 0) return FailedExtraction(first_outcome, first_reason);
  return writer.Finish(std::move(facts));
}

}  // namespace recall

#include "index/extract/process/extractor_pool.h"

#include <utility>

#include "index/extract/process/user_extraction.h"

namespace recall {

std::optional<ExtractorChoice> ExtractorPool::Choose(std::string_view path,
                                                     std::string_view bytes) const {
  if (const UserExtractor* const own = FindUserExtractor(own_, path)) {
    return ExtractorChoice{.own = own};
  }
  const auto format = DetectFormat(path, bytes);
  return format ? std::optional(ExtractorChoice{.format = *format}) : std::nullopt;
}

bool ExtractorPool::MayChoose(std::string_view path, std::string_view head) const {
  return FindUserExtractor(own_, path) != nullptr || MayHaveFormat(path) ||
         DetectFormat(path, head).has_value();
}

Extraction ExtractorPool::Extract(const ExtractorChoice& extractor, std::string_view bytes) {
  if (extractor.own != nullptr) return ExtractByUser(*extractor.own, bytes, limits_, *cancel_);
  std::unique_ptr<ExtractProcess> process;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      process = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!process) process = std::make_unique<ExtractProcess>(&program_);
  Extraction extraction = process->Extract({extractor.format, all_html_, limits_}, bytes, *cancel_);
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(process));
  return extraction;
}

std::string ExtractorPool::ExtractorName(const ExtractorChoice& extractor) {
  if (extractor.own != nullptr) return NameWithVersion(*extractor.own);
  const DocumentFormat format = extractor.format;
  std::string name(FormatName(format));
  if (format == DocumentFormat::kHtml && all_html_) name += "-all";
  name += "/" + std::to_string(ExtractorVersion(format));
  if (format == DocumentFormat::kPdf) {
    const std::lock_guard lock(mutex_);
    if (!pdf_version_) pdf_version_ = PdfProgramVersion();
    if (!pdf_version_->empty()) name += "+" + *pdf_version_;
  }
  return name;
}

}  // namespace recall

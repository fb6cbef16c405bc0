#include "index/source/extract/process/extractor_pool.h"

#include <utility>

#include "index/source/code/code_grammar.h"
#include "index/source/code/outline_check.h"
#include "index/source/extract/process/password_reader.h"
#include "index/source/extract/process/user_extraction.h"

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
  std::unique_ptr<ExtractProcess> process = TakeProcess();
  Extraction extraction = process->Extract({extractor.format, all_html_, limits_}, bytes, *cancel_);
  if (extraction.outcome == ExtractOutcome::kEncrypted && !password_source_.empty()) {
    if (extractor.format == DocumentFormat::kPdf) {
      extraction = ExtractLocked(process.get(), bytes, std::move(extraction));
    } else {
      extraction.reason += "; passwords are tried with PDF files only";
    }
  }
  ReturnProcess(std::move(process));
  return extraction;
}

Extraction ExtractorPool::ExtractLocked(ExtractProcess* process, std::string_view bytes,
                                        Extraction locked) {
  {
    const std::lock_guard lock(passwords_mutex_);
    if (!passwords_) passwords_ = ReadPasswords(password_source_);
  }
  const Result<std::vector<std::string>>& passwords = *passwords_;  // does not change any more
  if (!passwords) {
    locked.reason += ", and there is none: " + std::string(passwords.error().message());
    return locked;
  }
  std::string decrypted;
  Extraction failed = process->DecryptPdf(bytes, *passwords, limits_, *cancel_, &decrypted);
  if (failed.outcome != ExtractOutcome::kText) return failed;
  return process->Extract({DocumentFormat::kPdf, false, limits_}, decrypted, *cancel_);
}

std::unique_ptr<ExtractProcess> ExtractorPool::TakeProcess() {
  std::unique_lock lock(mutex_);
  returned_.wait(lock, [this] { return in_use_ < most_; });
  ++in_use_;
  if (idle_.empty()) return std::make_unique<ExtractProcess>(&program_);
  std::unique_ptr<ExtractProcess> process = std::move(idle_.back());
  idle_.pop_back();
  return process;
}

void ExtractorPool::ReturnProcess(std::unique_ptr<ExtractProcess> process) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(process));
  --in_use_;
  returned_.notify_one();
}

std::string ExtractorPool::GrammarFor(std::string_view path, std::string_view text) const {
  if (program_.path.empty() || outline_problem() != OutlineOutcome::kOutline) return {};
  std::string grammar = recall::GrammarFor(path, text);
  if (!grammar.empty()) return grammar;
  const std::string_view language = LanguageOf(path, text);
  if (language.empty()) return {};
  const std::lock_guard lock(mutex_);
  without_grammar_.insert(language);
  return {};
}

std::vector<std::string_view> ExtractorPool::languages_without_grammar() const {
  const std::lock_guard lock(mutex_);
  return {without_grammar_.begin(), without_grammar_.end()};
}

OutlineAnswer ExtractorPool::Outline(std::string_view grammar, std::string_view text) {
  if (text.size() > kMostOutlineText) return {};
  std::unique_ptr<ExtractProcess> process = TakeProcess();
  OutlineAnswer answer = process->Outline(grammar, text, *cancel_);
  ReturnProcess(std::move(process));
  if (answer.outcome == OutlineOutcome::kUnconfined ||
      answer.outcome == OutlineOutcome::kNoLibrary) {
    const std::lock_guard lock(mutex_);
    outline_problem_ = answer.outcome;
  }
  return answer;
}

OutlineOutcome ExtractorPool::outline_problem() const {
  const std::lock_guard lock(mutex_);
  return outline_problem_;
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

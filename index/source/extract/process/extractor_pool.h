#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/code_outline.h"
#include "index/source/extract/process/extract_process.h"
#include "index/source/extract/types/password_source.h"
#include "index/source/extract/types/user_extractor.h"
#include "storage/base/result.h"

namespace recall {

// The choice of an extractor for a file.
struct ExtractorChoice {
  DocumentFormat format = DocumentFormat::kPdf;
  const UserExtractor* own = nullptr;  // the user's; null: ours for `format`

  std::string format_name() const { return own ? own->name : std::string(FormatName(format)); }
};

// Extraction processes for the threads of an ingest: as many as extract at the same time. The
// destructor ends them. Thread-safe. A process dies with the thread that started it, so these
// threads must end before or with the pool.
class ExtractorPool final {
 public:
  // `own`: the user's extractors, which come before ours. `cancel` must outlive the pool.
  // `most`: processes at the same time (each may have a pdftotext beside it); threads that need
  // another one wait. 0: any number. `passwords`: for encrypted PDF files; read when the first one
  // is met.
  ExtractorPool(ExtractProgram program, const ExtractLimits& limits, bool all_html,
                std::vector<UserExtractor> own, const std::atomic<bool>* cancel, size_t most = 0,
                PasswordSource passwords = {})
      : program_(std::move(program)),
        limits_(limits),
        all_html_(all_html),
        own_(std::move(own)),
        cancel_(cancel),
        most_(most == 0 ? SIZE_MAX : most),
        password_source_(std::move(passwords)) {}

  // What extracts the text of a file: one of the user's extractors, by its name, or ours, by its
  // content (DetectFormat); nothing if it is text. Requires, as for the other calls: the pool
  // outlives the choice.
  std::optional<ExtractorChoice> Choose(std::string_view path, std::string_view bytes) const;
  // Whether a file of this name, which begins with `head`, may have an extractor, so that all of it
  // must be read to know.
  bool MayChoose(std::string_view path, std::string_view head) const;

  // As ExtractProcess::Extract, and ExtractByUser.
  Extraction Extract(const ExtractorChoice& extractor, std::string_view bytes);

  // The grammar of this program for a source file: "python-0.23.6"; "" if there is none. Starts no
  // process (index/source/code/code_grammar.h).
  std::string GrammarFor(std::string_view path, std::string_view text) const;
  // The outline of source code, parsed in an extraction process with a grammar that GrammarFor has
  // answered. kNone for more than 4 MiB, after 30 s, and for files with too many errors
  // (index/source/code/outline_parser.h). Once it was kUnconfined or kNoLibrary, GrammarFor answers
  // "".
  OutlineAnswer Outline(std::string_view grammar, std::string_view text);
  // The languages of the files for which GrammarFor had none, sorted.
  std::vector<std::string_view> languages_without_grammar() const;
  // Returns kUnconfined or kNoLibrary if Outline has returned that before, else kOutline.
  OutlineOutcome outline_problem() const;

  // "pdf/3+poppler-22.12.0", "html/3", "djvu/1f0c39ab": what a text depends on besides the file.
  // "html-all/3" with all text of pages.
  std::string ExtractorName(const ExtractorChoice& extractor);

 private:
  // Extracts an encrypted PDF file with the passwords. `locked`: the outcome without them.
  Extraction ExtractLocked(ExtractProcess* process, std::string_view bytes, Extraction locked);
  std::unique_ptr<ExtractProcess> TakeProcess();
  void ReturnProcess(std::unique_ptr<ExtractProcess> process);

  const ExtractProgram program_;
  const ExtractLimits limits_;
  const bool all_html_;
  const std::vector<UserExtractor> own_;
  const std::atomic<bool>* cancel_;
  const size_t most_;
  const PasswordSource password_source_;
  std::mutex passwords_mutex_;
  std::optional<Result<std::vector<std::string>>> passwords_;  // once they are read
  mutable std::mutex mutex_;                                   // guards the members below
  std::optional<std::string> pdf_version_;
  OutlineOutcome outline_problem_ = OutlineOutcome::kOutline;
  mutable std::set<std::string_view> without_grammar_;  // languages
  std::vector<std::unique_ptr<ExtractProcess>> idle_;
  size_t in_use_ = 0;
  std::condition_variable returned_;
};

}  // namespace recall

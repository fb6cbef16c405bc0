// Prints what Recall reads of a PDF, as JSON, for the harnesses of tests/clients/pdf and
// bench/pdf_words: extract_pdf FILE. For trusted files only: pdftotext is run without a sandbox.
// extract_pdf --bbox FILE reads the output of `pdftotext -bbox-layout` instead.

#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "index/source/extract/pdf/pdf_child_messages.h"
#include "index/source/extract/pdf/pdf_mark_reader.h"
#include "index/source/extract/pdf/pdf_text.h"

namespace recall {
namespace {

std::string Quoted(const std::string& argument) {
  std::string quoted = "'";
  for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Extraction Extracted(const std::string& file, bool is_bbox) {
  const ExtractLimits limits;
  if (is_bbox) {
    std::ifstream in(file, std::ios::binary);
    return ExtractPdfLayout(std::string(std::istreambuf_iterator<char>(in), {}), limits);
  }
  char errors_name[] = "/tmp/extract_pdf-XXXXXX";
  const int errors_fd = ::mkstemp(errors_name);
  const std::string command =
      "pdftotext -bbox-layout " + Quoted(file) + " - 2>" + Quoted(errors_name);
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (errors_fd < 0 || !pipe) return FailedExtraction(ExtractOutcome::kCrashed, "cannot run sh");
  PdfTextReader reader(limits);
  std::string buffer(1 << 16, '\0');
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    reader.Feed(std::string_view(buffer).substr(0, got));
  }
  const int status = ::pclose(pipe);
  std::ifstream in(errors_name, std::ios::binary);
  const std::string messages(std::istreambuf_iterator<char>(in), {});
  std::remove(errors_name);
  ::fclose(::fdopen(errors_fd, "r"));
  const PdfChildResult child =
      ReadPdfChildMessages(messages, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
  if (child.outcome != ExtractOutcome::kText) return FailedExtraction(child.outcome, child.reason);
  std::ifstream pdf(file, std::ios::binary);
  return reader.Finish(ReadPdfMarks(std::string(std::istreambuf_iterator<char>(pdf), {}), limits));
}

const char* NameOf(ExtractOutcome outcome) {
  switch (outcome) {
    case ExtractOutcome::kText:
      return "ok";
    case ExtractOutcome::kNoText:
      return "no_text";
    case ExtractOutcome::kEncrypted:
      return "encrypted";
    case ExtractOutcome::kTooLarge:
      return "too_large";
    case ExtractOutcome::kUnsupported:
      return "unsupported";
    case ExtractOutcome::kDamaged:
      return "damaged";
    case ExtractOutcome::kTimedOut:
      return "timed_out";
    case ExtractOutcome::kCrashed:
      return "crashed";
  }
  return "";
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  const bool is_bbox = argc == 3 && std::string(argv[1]) == "--bbox";
  if (argc != 2 && !is_bbox) {
    std::fprintf(stderr, "usage: extract_pdf [--bbox] FILE\n");
    return 2;
  }
  const recall::Extraction extraction = recall::Extracted(argv[argc - 1], is_bbox);
  nlohmann::json pages = nlohmann::json::array();
  for (const recall::LocatorSpan& span : extraction.spans) {
    pages.push_back({{"page", span.locator.number},
                     {"text", extraction.text.substr(span.start, span.end - span.start)}});
  }
  const nlohmann::json answer = {{"outcome", recall::NameOf(extraction.outcome)},
                                 {"reason", extraction.reason},
                                 {"text", extraction.text},
                                 {"pages", pages},
                                 {"meta", extraction.meta},
                                 {"warnings", extraction.warnings}};
  std::printf("%s\n", answer.dump().c_str());
  return 0;
}

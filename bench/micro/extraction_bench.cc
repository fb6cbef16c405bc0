// From documents to their texts, and from source code to its outline: in this process, on one
// thread, without the sandbox. With --files: of the files below that have the format, in turns; the
// formats that are not there are left out. An iteration reads all files; an item is a file.

#include <string>
#include <vector>

#include "bench/micro/bench_documents.h"
#include "bench/micro/made_text.h"
#include "bench/micro/micro.h"
#include "index/source/code/code_grammar.h"
#include "index/source/code/outline_parser.h"
#include "index/source/extract/epub/epub_document.h"
#include "index/source/extract/html/html_extractor.h"
#include "index/source/extract/odf/odf_document.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "index/source/extract/pdf/pdf_text.h"
#include "index/source/extract/worker/extract_worker.h"

namespace recall {
namespace {

using Endings = std::initializer_list<std::string_view>;

// `extract` takes bytes and returns an Extraction.
template <typename Extract>
void ReadAll(benchmark::State& state, const std::vector<std::string>& given,
             const std::string& made, Extract extract) {
  if (given.empty() && !Options().file_roots.empty()) {
    state.SkipWithError("--files has none");
    return;
  }
  const std::vector<std::string>& files = given.empty() ? std::vector{made} : given;
  size_t texts = 0, text_bytes = 0;
  {
    const KernelCounts counts(state);
    for (auto _ : state) {
      texts = text_bytes = 0;
      for (const std::string& file : files) {
        const Extraction extraction = extract(file);
        texts += extraction.outcome == ExtractOutcome::kText;
        text_bytes += extraction.text.size();
      }
    }
  }
  Check(!given.empty() || texts == 1, "a made-up document has no text");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(BytesOf(files)));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(files.size()));
  state.counters["with_text"] = static_cast<double>(texts);
  state.counters["text_bytes"] = static_cast<double>(text_bytes);
}

void Html(benchmark::State& state, HtmlContent content) {
  static const std::vector<std::string> pages = GivenFiles({".html", ".htm", ".xhtml"});
  ReadAll(state, pages, MadeUpPage(),
          [&](const std::string& page) { return ExtractHtml(page, {}, content); });
}
BENCHMARK_CAPTURE(Html, main, HtmlContent::kMain)
    ->Name("extraction/html_main")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Html, all, HtmlContent::kAll)
    ->Name("extraction/html_all")
    ->Unit(benchmark::kMicrosecond);

void PdfLayout(benchmark::State& state) {
  static const std::vector<std::string> layouts = GivenFiles({".bbox.xhtml"});
  ReadAll(state, layouts, MadeUpPdfLayout(Options().small ? 20 : 200),
          [](const std::string& layout) { return ExtractPdfLayout(layout, {}); });
}
BENCHMARK(PdfLayout)->Name("extraction/pdf_layout")->Unit(benchmark::kMicrosecond);

using PackageExtractor = Extraction (*)(std::string_view, const ExtractLimits&);

void Package(benchmark::State& state, Endings endings, std::string (*make)(),
             PackageExtractor extract) {
  ReadAll(state, GivenFiles(endings), make(),
          [&](const std::string& file) { return extract(file, {}); });
}
BENCHMARK_CAPTURE(Package, docx, Endings{".docx"}, MadeUpDocx, ExtractDocx)
    ->Name("extraction/docx")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Package, pptx, Endings{".pptx"}, MadeUpPptx, ExtractPptx)
    ->Name("extraction/pptx")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Package, xlsx, Endings{".xlsx"}, MadeUpXlsx, ExtractXlsx)
    ->Name("extraction/xlsx")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Package, odf, Endings{".odt", ".odp", ".ods"}, MadeUpOdt, ExtractOdt)
    ->Name("extraction/odf")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Package, epub, Endings{".epub"}, MadeUpEpub, ExtractEpub)
    ->Name("extraction/epub")
    ->Unit(benchmark::kMicrosecond);

// Of one language, by the ending of its files.
void Outline(benchmark::State& state, const char* ending) {
  std::vector<std::string> files = GivenFiles({ending});
  if (files.empty() && Options().file_roots.empty()) files.push_back(MadeUpSource());
  const std::string name = std::string("made") + ending;
  const std::string grammar = files.empty() ? "" : GrammarFor(name, files.front());
  if (grammar.empty()) {
    state.SkipWithError("no files, or the build has no grammar");
    return;
  }
  size_t definitions = 0;
  {
    const KernelCounts counts(state);
    for (auto _ : state) {
      definitions = 0;
      for (const std::string& file : files) {
        const auto outline = ParseOutline(grammar, file);
        if (outline) definitions += outline->definitions.size();
      }
    }
  }
  Check(!Options().file_roots.empty() || definitions >= 500, "definitions are missing");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(BytesOf(files)));
  state.counters["definitions"] = static_cast<double>(definitions);
}
BENCHMARK_CAPTURE(Outline, cc, ".cc")->Name("outline/cc")->Unit(benchmark::kMicrosecond);

}  // namespace

void RegisterGivenLanguages() {
  for (const char* language : {"c", "go", "java", "js", "py", "rs", "ts"}) {
    benchmark::RegisterBenchmark(("outline/" + std::string(language)).c_str(),
                                 [ending = "." + std::string(language)](benchmark::State& state) {
                                   Outline(state, ending.c_str());
                                 })
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace recall

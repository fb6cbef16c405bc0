// How fast are Office documents read?
//
//   office_bench           reads documents that it makes: DOCX of 30 KB, PPTX of 40 KB, XLSX of
//                          40 KB, stored without compression
//   office_bench FILE...   reads these files (.docx, .pptx, .xlsx) in turns
//
// Files per second of processor time on one thread: the median of --repeats rounds of half a
// second.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/bench_util.h"
#include "index/source/extract/ooxml/ooxml.h"
#include "index/source/extract/worker/extract_worker.h"
#include "storage/base/heap.h"
#include "storage/base/split_mix.h"
#include "tests/index/source/extract/ooxml/ooxml_maker.h"

namespace recall {
namespace {

using OfficeExtractor = Extraction (*)(std::string_view, const ExtractLimits&);

std::string OfficeWords(SplitMix64* random, int count) {
  static constexpr std::string_view kWords[] = {"the",    "cost",  "of",       "storage", "grows",
                                                "with",   "every", "document", "that",    "is",
                                                "copied", "into",  "an",       "archive", "again"};
  std::string text;
  for (int i = 0; i < count; ++i) text.append(kWords[random->Next() % 15]).append(" ");
  return text;
}

std::string OfficeDocx() {
  SplitMix64 random(34);
  std::string body;
  while (body.size() < 28'000) {
    body += WordParagraph(OfficeWords(&random, 3), R"(<w:pStyle w:val="Heading2"/>)");
    for (int i = 0; i < 6; ++i) body += WordParagraph(OfficeWords(&random, 60));
  }
  return MadeDocx(body).Make();
}

std::string OfficePptx() {
  SplitMix64 random(35);
  OoxmlMaker maker("p.xml");
  std::string list = "<p:presentation><p:sldIdLst>";
  std::vector<MadeRelation> relations;
  for (int slide = 0; slide < 20; ++slide) {
    const std::string id = "r" + std::to_string(slide);
    list += "<p:sldId r:id=\"" + id + "\"/>";
    relations.push_back({id, "slide", id + ".xml"});
    std::string shapes = SlideShape(OfficeWords(&random, 4), R"(<p:ph type="title"/>)");
    for (int i = 0; i < 5; ++i) shapes += SlideShape(OfficeWords(&random, 12));
    maker.Part(id + ".xml", SlideXml(shapes));
  }
  maker.Part("p.xml", list + "</p:sldIdLst></p:presentation>").Relations("p.xml", relations);
  return maker.Make();
}

std::string OfficeXlsx() {
  SplitMix64 random(36);
  std::string rows;
  for (int row = 1; rows.size() < 38'000; ++row) {
    rows += "<x:row r=\"" + std::to_string(row) + "\">";
    for (const char* column : {"A", "B", "C", "D", "E"}) {
      rows += std::string("<x:c r=\"") + column + std::to_string(row) + "\"><x:v>" +
              std::to_string(random.Next() % 100'000) + ".25</x:v></x:c>";
    }
    rows += "</x:row>";
  }
  OoxmlMaker maker("b.xml");
  maker.Part("b.xml",
             R"(<x:workbook><x:sheets><x:sheet name="S" r:id="r"/></x:sheets></x:workbook>)");
  maker.Relations("b.xml", {{"r", "worksheet", "s.xml"}});
  maker.Part("s.xml", "<x:worksheet><x:sheetData>" + rows + "</x:sheetData></x:worksheet>");
  return maker.Make();
}

void MeasureOffice(const std::string& name, OfficeExtractor extract,
                   const std::vector<std::string>& files, int repeats) {
  uint64_t bytes = 0;
  for (const std::string& file : files) bytes += file.size();
  std::vector<double> rates;
  size_t texts = 0;
  for (int round = 0; round < repeats; ++round) {
    const double begin = ProcessorTime();
    double seconds = 0;
    int64_t done = 0;
    while (seconds < 0.5) {
      texts = 0;
      for (const std::string& file : files) {
        if (extract(file, {}).outcome == ExtractOutcome::kText) ++texts;
      }
      done += static_cast<int64_t>(files.size());
      seconds = ProcessorTime() - begin;
    }
    rates.push_back(static_cast<double>(done) / seconds);
  }
  std::printf("%s: %zu files of %.1f KB on average, %zu with text, %.0f files/s\n", name.c_str(),
              files.size(), static_cast<double>(bytes) / 1e3 / static_cast<double>(files.size()),
              texts, Median(rates));
}

int RunOfficeBench(const BenchArgs& args) {
  struct Kind {
    const char* suffix;
    OfficeExtractor extract;
    std::string (*make)();
  };
  constexpr Kind kKinds[] = {{".docx", ExtractDocx, OfficeDocx},
                             {".pptx", ExtractPptx, OfficePptx},
                             {".xlsx", ExtractXlsx, OfficeXlsx}};
  for (const Kind& kind : kKinds) {
    std::vector<std::string> files;
    for (const std::string& path : args.rest) {
      if (!path.ends_with(kind.suffix)) continue;
      std::ifstream file(path, std::ios::binary);
      files.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    if (args.rest.empty()) files.push_back(kind.make());
    if (!files.empty()) MeasureOffice(kind.suffix, kind.extract, files, args.repeats);
  }
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  recall::KeepFreedMemory();  // as the extraction processes do
  return recall::RunOfficeBench(recall::ParseBenchArgs(argc, argv));
}

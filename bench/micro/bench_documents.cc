#include "bench/micro/bench_documents.h"

#include <utility>
#include <vector>

#include "storage/base/split_mix.h"
#include "tests/index/source/extract/epub/epub_maker.h"
#include "tests/index/source/extract/odf/odf_maker.h"
#include "tests/index/source/extract/ooxml/ooxml_maker.h"
#include "tests/index/source/extract/pdf/bbox_maker.h"

namespace recall {
namespace {

std::string OfficeWords(SplitMix64* random, int count) {
  static constexpr std::string_view kWords[] = {"the",    "cost",  "of",       "storage", "grows",
                                                "with",   "every", "document", "that",    "is",
                                                "copied", "into",  "an",       "archive", "again"};
  std::string text;
  for (int i = 0; i < count; ++i) text.append(kWords[random->Next() % 15]).append(" ");
  return text;
}

}  // namespace

std::string MadeUpDocx() {
  SplitMix64 random(34);
  std::string body;
  while (body.size() < 28'000) {
    body += WordParagraph(OfficeWords(&random, 3), R"(<w:pStyle w:val="Heading2"/>)");
    for (int i = 0; i < 6; ++i) body += WordParagraph(OfficeWords(&random, 60));
  }
  return MadeDocx(body).Make();
}

std::string MadeUpPptx() {
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

std::string MadeUpXlsx() {
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

std::string MadeUpOdt() {
  SplitMix64 random(37);
  std::string body;
  while (body.size() < 28'000) {
    body += "<text:h text:outline-level='2'>" + OfficeWords(&random, 3) + "</text:h>";
    for (int i = 0; i < 6; ++i) body += "<text:p>" + OfficeWords(&random, 60) + "</text:p>";
  }
  return MakeOdf("text", body);
}

std::string MadeUpEpub() {
  SplitMix64 random(38);
  std::vector<std::string> chapters;
  for (int chapter = 0; chapter < 20; ++chapter) {
    chapters.push_back("<h1>" + OfficeWords(&random, 3) + "</h1>");
    for (int i = 0; i < 20; ++i) chapters.back() += "<p>" + OfficeWords(&random, 80) + "</p>";
  }
  return MakeEpub(BookOfChapters(chapters));
}

std::string MadeUpPage() {
  std::string page = "<html><body><nav><a href='/'>Home</a></nav><main>";
  for (int i = 0; i < 2000; ++i) {
    page +=
        "<h2 id=s" + std::to_string(i) + ">Section</h2><p>Some text, with <b>bold</b> words.</p>";
  }
  return page + "</main></body></html>";
}

std::string MadeUpPdfLayout(int pages) {
  BboxMaker maker;
  for (int page = 1; page <= pages; ++page) {
    maker.Page().Block().Line(72, 20, "The title of a made book");
    for (int block = 0; block < 6; ++block) {
      std::vector<std::string> lines;
      for (int line = 0; line < 7; ++line) {
        lines.push_back("word" + std::to_string(page * 7 + line) +
                        " of running text with some common words that fill a line of infor-");
      }
      maker.Lines(72, 80 + 110 * block, lines);
    }
    maker.Block().Line(300, 770, std::to_string(page));
  }
  return maker.Finish();
}

std::string MadeUpSource() {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "// Adds.\nint Add" + std::to_string(i) + "(int a, int b) {\n  return a + b;\n}\n";
  }
  return text;
}

}  // namespace recall

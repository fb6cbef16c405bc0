#include "index/source/extract/types/document_format.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace recall {
namespace {

std::string NameOf(std::string_view path, std::string_view bytes) {
  const auto format = DetectFormat(path, bytes);
  return format ? std::string(FormatName(*format)) : "text";
}

TEST(DocumentFormatTest, ContentTellsWhatAFileIs) {
  EXPECT_EQ(NameOf("a.pdf", "%PDF-1.7\n..."), "pdf");
  EXPECT_EQ(NameOf("no-suffix", "%PDF-1.4\n"), "pdf");
  EXPECT_EQ(NameOf("a.pdf", "garbage before %PDF-1.4\n"), "pdf");
  EXPECT_EQ(NameOf("a.md", "A note about %PDF-1.4 files."), "text");
  const std::string epub = std::string("PK\3\4", 4) + std::string(22, '\0') +
                           std::string("\x08\0\0\0", 4) + "mimetypeapplication/epub+zip";
  EXPECT_EQ(NameOf("book.bin", epub), "epub");
  EXPECT_EQ(
      NameOf("a.bin", std::string("PK\3\4", 4) + "...[Content_Types].xml...word/document.xml"),
      "docx");
  EXPECT_EQ(NameOf("a.zip", std::string("PK\3\4", 4) + "...notes.txt"), "text");
}

TEST(DocumentFormatTest, PagesAreDocumentsTemplatesAreNot) {
  EXPECT_EQ(NameOf("a.html", "<!DOCTYPE html><p>x"), "html");
  EXPECT_EQ(NameOf("a.HTM", "<!-- c --><HTML lang=de>"), "html");
  EXPECT_EQ(NameOf("a.html", std::string("<\0h\0t\0m\0l\0>\0", 12)), "html");
  EXPECT_EQ(NameOf("part.html", "<div>{{ name }}</div>"), "text");
  EXPECT_EQ(NameOf("a.txt", "<!DOCTYPE html><p>x"), "text");
}

TEST(DocumentFormatTest, FormatsOfTextAreKnownByNameAndBeginning) {
  EXPECT_EQ(NameOf("a.mhtml", "From: <Saved by Blink>\r\n"), "html");
  EXPECT_EQ(NameOf("a.MHT", "MIME-Version: 1.0\r\n"), "html");
  EXPECT_EQ(NameOf("a.mht", "no header"), "text");
  EXPECT_EQ(NameOf("7.emlx", "12\nSubject: x\n"), "mail");
  const std::string flat = "<?xml version=\"1.0\"?>\n<office:document office:version=\"1.3\">";
  EXPECT_EQ(NameOf("a.fodt", flat), "odt");
  EXPECT_EQ(NameOf("a.fodp", flat), "odp");
  EXPECT_EQ(NameOf("a.fods", flat), "ods");
  EXPECT_EQ(NameOf("a.fodt", "a note"), "text");
}

TEST(DocumentFormatTest, TextIsTextWhateverItsName) {
  EXPECT_EQ(NameOf("a.docx", "not a document"), "text");
  EXPECT_EQ(NameOf("a.pdf", "%!PS-Adobe"), "text");
  EXPECT_EQ(NameOf("a.docx", ""), "text");
  EXPECT_EQ(NameOf("a.docx", std::string("\xD0\xCF\x11\xE0\0\0", 6)), "docx");
}

TEST(DocumentFormatTest, MessagesOfAMaildirHaveNoSuffix) {
  const std::string message = "Return-Path: <ann@example.org>\r\nSubject: x\r\n\r\ntext\r\n";
  EXPECT_EQ(NameOf("Mail/cur/1700000000.M20046P2137.host:2,S", message), "mail");
  EXPECT_EQ(NameOf("new/1700000001.V3I1.host", message), "mail");
  EXPECT_EQ(NameOf("new/1700000001.notes.txt", "A text about: nothing\n"), "text");
  EXPECT_EQ(NameOf("new/page.txt", message), "text");
  EXPECT_EQ(NameOf("old/1700000001.V3I1.host", message), "text");
  EXPECT_EQ(NameOf("1700000001.V3I1.host", message), "text");
  // Messages need not be UTF-8, so all of such a file is read before it is refused.
  EXPECT_TRUE(MayHaveFormat("Mail/new/1700000001.V3I1.host"));
}

TEST(DocumentFormatTest, NamesAreUnique) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(DocumentFormat::kNotebook); ++i) {
    const auto format = static_cast<DocumentFormat>(i);
    EXPECT_TRUE(names.insert(FormatName(format)).second) << FormatName(format);
    EXPECT_GE(ExtractorVersion(format), 1);
  }
}

}  // namespace
}  // namespace recall

// Messages of Outlook (TNEF), alone and as `winmail.dat` of a mail.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/source/extract/mail/mail_extract.h"
#include "index/source/extract/mail/rtf_text.h"
#include "index/source/extract/mail/tnef_reader.h"
#include "tests/index/source/extract/extraction_check.h"
#include "tests/index/source/extract/mail/tnef_maker.h"

namespace recall {
namespace {

using Names = std::vector<std::string>;

Extraction ReadMail(const std::string& bytes, const ExtractLimits& limits = {}) {
  Extraction extraction = ExtractMail(bytes, limits);
  EXPECT_EQ(BrokenRuleOf(extraction, limits), "");
  return extraction;
}

Names Files(const Extraction& extraction) {
  Names files;
  for (const AttachedFile& file : extraction.files) files.push_back(file.name + "=" + file.bytes);
  return files;
}

std::string Rtf(const std::string& rtf) { return ReadRtf(rtf, 1 << 20).text; }

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t three = 0;
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    for (size_t i = 0; i < 3; ++i) {
      three = three << 8 | (i < count ? static_cast<uint8_t>(bytes[at + i]) : 0u);
    }
    for (size_t i = 0; i < 4; ++i) text += i > count ? '=' : kDigits[three >> (18 - 6 * i) & 63];
    if (at % 54 == 51) text += "\r\n";
  }
  return text + "\r\n";
}

std::string MailWith(const std::string& text, const std::string& tnef) {
  return "From: ann@example.org\r\nSubject: Ponds\r\nContent-Type: multipart/mixed; boundary=b\r\n"
         "\r\n--b\r\nContent-Type: text/plain\r\n\r\n" +
         text +
         "\r\n--b\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\n"
         "Content-Transfer-Encoding: base64\r\n\r\n" +
         Base64(tnef) + "--b--\r\n";
}

TEST(TnefTest, AMessageAloneHasHeaderTextAndFiles) {
  const std::string tnef = MakeTnef(
      TnefPropertiesOfMessage({TnefPropertyBytes(0x1E, 0x0037, "Herons\n in winter"),
                               TnefPropertyBytes(0x1F, 0x0C1A, TnefUtf16("Ann")),
                               TnefPropertyBytes(0x1E, 0x0C1F, "ann@example.org"),
                               TnefPropertyBytes(0x1E, 0x0E04, "Bob; Eve"),
                               TnefNumberBytes(0x40, 0x0039, 134'086'284'780'000'000, 8),
                               TnefPropertyBytes(0x1E, 0x8001, "named"),
                               TnefNumberBytes(3, 0x0017, 1, 4),
                               TnefPropertyBytes(0x1E, 0x1035, "<id@example.org>"),
                               TnefPropertyBytes(0x1E, 0x1000, "They stand at the pond.\r\n")}) +
      TnefFileBytes("REPORT~1.TXT", "eels", {TnefPropertyBytes(0x1E, 0x3707, "report.txt")}) +
      TnefFileBytes("map.txt", "north"));
  const Extraction read = ReadMail(tnef);
  EXPECT_EQ(read.text,
            "# Herons in winter\n\nFrom: Ann <ann@example.org>\nTo: Bob; Eve\n"
            "Date: 2025-11-26T11:01:18Z\n\nThey stand at the pond.\n");
  EXPECT_EQ(Files(read), (Names{"report.txt=eels", "map.txt=north"}));
  EXPECT_EQ(read.meta.at("to"), (Names{"Bob", "Eve"}));
  EXPECT_EQ(read.meta.at("date"), Names{"2025-11-26T11:01:18Z"});
  EXPECT_EQ(read.meta.at("message_id"), Names{"id@example.org"});
  EXPECT_TRUE(read.warnings.empty());
}

TEST(TnefTest, OlderMessagesHaveAttributesAlone) {
  std::string date;
  for (const int number : {2001, 2, 3, 4, 5, 6, 0}) {
    AppendLittle(static_cast<uint64_t>(number), 2, &date);
  }
  const std::string attributes = TnefAttributeBytes(1, 0x00018004,
                                                    "\xCF\xF0\xF3\xE4"
                                                    "\0") +
                                 TnefAttributeBytes(1, 0x00038005, date) +
                                 TnefAttributeBytes(1, 0x0002800C, "\xF6\xE0\xEF\xEB\xFF");
  EXPECT_EQ(ReadMail(MakeTnef(attributes, 1251)).text,
            "# Пруд\n\nDate: 2001-02-03T04:05:06Z\n\nцапля\n");
}

TEST(TnefTest, TextsAreTakenFromHtmlAndRtf) {
  const auto text = [](const std::string& property) {
    return ReadMail(MakeTnef(TnefPropertiesOfMessage({property}))).text;
  };
  EXPECT_EQ(text(TnefPropertyBytes(0x102, 0x1013, "<p>A <b>heron</b></p><p>flies</p>")),
            "A heron\n\nflies\n");
  EXPECT_EQ(text(TnefPropertyBytes(0x102, 0x1009, PackedRtf("{\\rtf1 A {\\b heron}\\par flies}"))),
            "A heron\nflies\n");
  EXPECT_EQ(text(TnefPropertyBytes(
                0x102, 0x1009,
                PackedRtf("{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\f1 no"
                          "\\htmlrtf0 heron{\\*\\htmltag84 &nbsp;}\\htmlrtf }\\htmlrtf0 flies"
                          "{\\*\\htmltag72 </p>}}"))),
            "heron flies\n");
}

TEST(TnefTest, AttachmentsOfWinmailAreAttachmentsOfTheMail) {
  const std::string body = "The heron stands at the pond and waits for an eel to come by today";
  const std::string tnef =
      MakeTnef(TnefPropertiesOfMessage({TnefPropertyBytes(0x1E, 0x1000, body)}) +
               TnefFileBytes("eels.txt", "forty eels"));
  const Extraction same = ReadMail(MailWith(body, tnef));
  EXPECT_EQ(same.text, "# Ponds\n\nFrom: ann@example.org\n\n" + body + "\n") << "the text once";
  EXPECT_EQ(Files(same), Names{"eels.txt=forty eels"});
  const Extraction other = ReadMail(MailWith("", tnef));
  EXPECT_EQ(other.text, "# Ponds\n\nFrom: ann@example.org\n\n" + body + "\n");
  EXPECT_EQ(TextAt(other, LocatorKind::kMessage, 0, "2"), body + "\n");
}

TEST(TnefTest, AMessageInAMessageIsAFileThatIsRead) {
  const std::string inner =
      MakeTnef(TnefPropertiesOfMessage({TnefPropertyBytes(0x1E, 0x1000, "inner text")}));
  const std::string tnef =
      MakeTnef(TnefPropertiesOfMessage({TnefPropertyBytes(0x1E, 0x1000, "outer text")}) +
               TnefFileBytes("Forwarded", "",
                             {TnefPropertyBytes(13, 0x3701, std::string(16, 'I') + inner)}));
  const Extraction read = ReadMail(tnef);
  EXPECT_EQ(Files(read), Names{"Forwarded.tnef=" + inner});
  EXPECT_EQ(ReadMail(read.files.at(0).bytes).text, "inner text\n");
}

TEST(TnefTest, WhatIsNoMessageStaysAFile) {
  const Extraction read = ReadMail(MailWith("text", "\x78\x9F\x3E\x22 no message"));
  EXPECT_EQ(read.files.size(), 1u);
  EXPECT_EQ(read.files.at(0).name, "winmail.dat");
}

TEST(TnefTest, FilesAreLimited) {
  std::string files;
  for (int i = 0; i < 5; ++i) files += TnefFileBytes("f.txt", "12345");
  ExtractLimits limits;
  limits.max_files = 3;
  EXPECT_EQ(ReadMail(MakeTnef(files), limits).files.size(), 3u);
  limits = {};
  limits.max_unpacked_bytes = 12;
  const Extraction read = ReadMail(MakeTnef(files), limits);
  EXPECT_EQ(read.files.size(), 2u);
  EXPECT_EQ(read.warnings, Names{"files_left_out"});
}

TEST(TnefTest, AnyTruncationAndChangeIsRead) {
  const std::string tnef =
      MakeTnef(TnefPropertiesOfMessage(
                   {TnefPropertyBytes(0x1F, 0x8001, TnefUtf16("x")),
                    TnefPropertyBytes(0x102, 0x1009, PackedRtf("{\\rtf1 \\'e9\\u233 ?}")),
                    TnefPropertyBytes(0x1E, 0x1000, "text")}) +
               TnefFileBytes("f.txt", "12345", {TnefPropertyBytes(0x1E, 0x3707, "name")}));
  for (size_t size = 0; size < tnef.size(); ++size) ReadMail(tnef.substr(0, size));
  for (size_t at = 0; at < tnef.size(); ++at) {
    for (const char byte : {'\0', '\x7F', '\xFF'}) {
      std::string changed = tnef;
      changed[at] = byte;
      ReadMail(changed);
    }
  }
  EXPECT_EQ(ReadMail(tnef.substr(0, tnef.size() - 60)).warnings, Names{"parts_unclosed"});
}

// The examples of MS-OXRTFCP, sections 4.1.1 and 4.1.2.
TEST(RtfTextTest, TheExamplesOfTheSpecificationUnpack) {
  const std::string hello(
      "\x2d\x00\x00\x00\x2b\x00\x00\x00\x4c\x5a\x46\x75\xf1\xc5\xc7\xa7\x03\x00\x0a\x00\x72\x63\x70"
      "\x67\x31\x32\x35\x42\x32\x0a\xf3\x20\x68\x65\x6c\x09\x00\x20\x62\x77\x05\xb0\x6c\x64\x7d\x0a"
      "\x80\x0f\xa0",
      49);
  EXPECT_EQ(UnpackRtf(hello, 1000), "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
  const std::string again(
      "\x1a\x00\x00\x00\x1c\x00\x00\x00\x4c\x5a\x46\x75\xe2\xd4\x4b\x51\x41\x00\x04\x20\x57\x58\x59"
      "\x5a\x0d\x6e\x7d\x01\x0e\xb0",
      30);
  EXPECT_EQ(UnpackRtf(again, 1000), "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}");
  EXPECT_FALSE(UnpackRtf(hello, 42).has_value());
  EXPECT_FALSE(UnpackRtf("no RTF at all, but long enough", 1000).has_value());
}

TEST(RtfTextTest, TextWithoutFormats) {
  EXPECT_EQ(Rtf("{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}{\\*\\generator X;}{\\info{\\title T}}"
                "\\pard a\\b b\\b0  c\\par\r\nd\\tab e\\line \\{f\\}\\~g\\_h{\\pict ffd8}}"),
            "ab c\nd\te\n{f}\u00A0g-h");
  EXPECT_EQ(Rtf("{\\rtf1\\ansicpg1251 \\'cf\\'f0\\'f3\\'e4}"), "Пруд");
  EXPECT_EQ(Rtf("{\\rtf1\\uc1\\u1055?\\u-10179?\\u-8642?{\\uc2\\u233 ab}c}"), "П😾éc");
  EXPECT_EQ(Rtf("{\\rtf1{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}}"
                "\\f1\\'cf\\f0\\'e9{\\f1 \\'f0}\\'e9}"),
            "Пéрé");
  EXPECT_EQ(Rtf("{\\rtf1{\\fonttbl{\\f1\\fcharset128 M;}}\\f1\\'83e\\'93\\'fa}"), "テ日");
  EXPECT_EQ(Rtf("{\\rtf1 a\\bin4 {{{{b}"), "ab");
}

TEST(RtfTextTest, HostileShapesTakeLinearTime) {
  std::string open, units, fonts;
  for (int i = 0; i < 300'000; ++i) {
    open += "{a";
    units += "\\u55357?";
    fonts += "\\f" + std::to_string(i) + "\\fcharset204 a";
  }
  EXPECT_EQ(ReadRtf(open, 1 << 20).text.size(), 300'000u);
  EXPECT_EQ(ReadRtf(units, 1 << 20).text, "");
  ReadRtf("{\\rtf1{\\fonttbl" + fonts + "}" + fonts + "}", 1 << 20);
}

}  // namespace
}  // namespace recall

#include "index/source/extract/mail/mail_extract.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/mail/mail_transfer.h"
#include "index/source/extract/mail/mhtml_page.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

Extraction Read(const std::string& message, const ExtractLimits& limits = {}) {
  Extraction got = ExtractMail(message, limits);
  EXPECT_EQ(BrokenRuleOf(got), "");
  return got;
}

// The text without the lines of the header, which end with an empty line.
std::string BodyOf(const std::string& message) {
  const Extraction got = Read(message);
  std::string body;
  for (const LocatorSpan& span : got.spans) {
    if (span.locator.range.ends_with("header")) continue;
    body += "[" + span.locator.range + "]" + got.text.substr(span.start, span.end - span.start);
  }
  return body;
}

const std::string kMixed =
    "From: =?utf-8?q?Andr=C3=A9?= <andre@example.org>\r\n"
    "To: Bob <bob@example.org>, carol@example.org\r\n"
    "Cc: d@example.org\r\n"
    "Subject: =?utf-8?b?R3LDvMOfZQ==?=\r\n"
    "Date: Fri, 27 Nov 2026 09:41:18 +0100\r\n"
    "Message-ID: <m3@example.org>\r\n"
    "In-Reply-To: <m2@example.org>\r\n"
    "References: <m1@example.org> <m2@example.org>\r\n"
    "List-Id: A list <list.example.org>\r\n"
    "MIME-Version: 1.0\r\n"
    "Content-Type: multipart/mixed; boundary=\"outer\"\r\n"
    "\r\n"
    "This is a message in MIME.\r\n"
    "--outer\r\n"
    "Content-Type: multipart/alternative; boundary=\"outer2\"\r\n"
    "\r\n"
    "--outer2\r\n"
    "Content-Type: text/plain; charset=iso-8859-1\r\n"
    "Content-Transfer-Encoding: quoted-printable\r\n"
    "\r\n"
    "> Frage\r\n"
    "Gr=FC=DFe, lang=\r\n"
    "e Zeile\r\n"
    "--outer2\r\n"
    "Content-Type: text/html\r\n"
    "\r\n"
    "<p>Frage, never read</p>\r\n"
    "--outer2--\r\n"
    "--outer\r\n"
    "Content-Type: application/pdf\r\n"
    "Content-Disposition: attachment; filename*=utf-8''a%20%C3%A9.pdf\r\n"
    "Content-Transfer-Encoding: base64\r\n"
    "\r\n"
    "AAEC\r\n/w==\r\n"
    "--outer\r\n"
    "Content-Type: image/png\r\n"
    "Content-Disposition: inline; filename=\"logo.png\"\r\n"
    "Content-Transfer-Encoding: base64\r\n"
    "\r\n"
    "AAAA\r\n"
    "--outer--\r\n"
    "epilogue\r\n";

TEST(MailExtractTest, WritesHeaderTextsAndFiles) {
  const Extraction got = Read(kMixed);
  EXPECT_EQ(got.text,
            "# Gr\xC3\xBC\xC3\x9F"
            "e\n\n"
            "From: Andr\xC3\xA9 <andre@example.org>\n"
            "To: Bob <bob@example.org>, carol@example.org\n"
            "Cc: d@example.org\n"
            "Date: Fri, 27 Nov 2026 09:41:18 +0100\n"
            "\n"
            "> Frage\nGr\xC3\xBC\xC3\x9F"
            "e, lange Zeile\n");
  ASSERT_EQ(got.spans.size(), 2u);
  EXPECT_EQ(got.spans[0].locator, (Locator{LocatorKind::kMessage, 0, "m3@example.org", "header"}));
  EXPECT_EQ(got.spans[1].locator, (Locator{LocatorKind::kMessage, 0, "m3@example.org", "1.1"}));
  ASSERT_EQ(got.files.size(), 1u);
  EXPECT_EQ(got.files[0].name, "a \xC3\xA9.pdf");
  EXPECT_EQ(got.files[0].bytes, std::string("\0\1\2\xFF", 4));
  EXPECT_TRUE(got.warnings.empty());
}

TEST(MailExtractTest, TellsTheHeaderAsMeta) {
  EXPECT_EQ(Read(kMixed).meta, (std::map<std::string, std::vector<std::string>>{
                                   {"from", {"Andr\xC3\xA9 <andre@example.org>"}},
                                   {"to", {"Bob <bob@example.org>", "carol@example.org"}},
                                   {"cc", {"d@example.org"}},
                                   {"date", {"2026-11-27T08:41:18Z"}},
                                   {"subject",
                                    {"Gr\xC3\xBC\xC3\x9F"
                                     "e"}},
                                   {"message_id", {"m3@example.org"}},
                                   {"in_reply_to", {"m2@example.org"}},
                                   {"references", {"m1@example.org", "m2@example.org"}},
                                   {"thread", {"m1@example.org"}},
                                   {"list_id", {"list.example.org"}}}));
  EXPECT_EQ(Read("Message-ID: <a@b>\n\nx\n").meta.at("thread"), (std::vector<std::string>{"a@b"}));
  EXPECT_EQ(Read("Message-ID: <a@b>\nIn-Reply-To: <c@d>\n\nx\n").meta.at("thread"),
            (std::vector<std::string>{"c@d"}));
}

TEST(MailExtractTest, PlainTextIsPreferredAndHtmlIsRead) {
  EXPECT_EQ(BodyOf("Subject: x\nContent-Type: text/html; charset=utf-8\n\n"
                   "<html><head><title>t</title><style>p{}</style></head><body><h2>Head</h2>"
                   "<p>a &amp; b<br>c</p><blockquote>q</blockquote><ul><li>one<li>two</ul></body>"),
            "[1]## Head\n\na & b\nc\n\n> q\n\n- one\n- two\n");
  // A plain text without words is no alternative.
  EXPECT_EQ(BodyOf("Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n"
                   "--b\n\n \n--b\nContent-Type: text/html\n\n<b>html</b>\n--b--\n"),
            "[2]html\n");
  // Files beside the alternative that is not read.
  const Extraction got = Read(
      "Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\nplain\n--b\n"
      "Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: text/html\n\nplain html\n"
      "--c\nContent-Type: application/pdf\n\nPDF\n--c--\n--b--\n");
  EXPECT_EQ(got.text, "# x\n\nplain\n");
  ASSERT_EQ(got.files.size(), 1u);
  EXPECT_EQ(got.files[0].name, "part-2.2.pdf");
  EXPECT_EQ(got.files[0].bytes, "PDF");
}

TEST(MailExtractTest, MessagesInMessages) {
  const std::string inner =
      "Subject: inner\nFrom: i@n\nContent-Type: multipart/mixed; boundary=c\n\n"
      "--c\n\nfirst\n--c\n\nsecond\n--c--\n";
  EXPECT_EQ(Read("Subject: outer\nMessage-ID: <o@x>\nContent-Type: multipart/mixed; boundary=b\n\n"
                 "--b\n\nsee below\n--b\nContent-Type: message/rfc822\n\n" +
                 inner + "--b--\n")
                .text,
            "# outer\n\nsee below\n\n## inner\n\nFrom: i@n\n\nfirst\n\nsecond\n");
  EXPECT_EQ(BodyOf("Subject: outer\nContent-Type: multipart/mixed; boundary=b\n\n"
                   "--b\n\nsee below\n--b\nContent-Type: message/rfc822\n\n" +
                   inner + "--b--\n"),
            "[1]see below\n[2.1]first\n[2.2]second\n");
  EXPECT_EQ(BodyOf("Subject: digest\nContent-Type: multipart/digest; boundary=b\n\n"
                   "--b\n\nSubject: a\n\nA\n--b\n\nSubject: b\n\nB\n--b--\n"),
            "[1.1]A\n[2.1]B\n");
  // Base64 is not allowed here, but is written.
  EXPECT_EQ(BodyOf("Subject: x\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                   "U3ViamVjdDogaQoKdGV4dAo=\n"),
            "[1.1]text\n");
}

TEST(MailExtractTest, MessagesNestedTooDeepAreFiles) {
  std::string message = "Subject: s\n\nend\n";
  for (int i = 0; i < 12; ++i) message = "Subject: s\nContent-Type: message/rfc822\n\n" + message;
  const Extraction got = Read(message);
  ASSERT_EQ(got.files.size(), 1u);
  EXPECT_EQ(got.files[0].name, "part-1.1.1.1.1.1.1.1.1.eml");
  EXPECT_TRUE(got.files[0].bytes.ends_with("Subject: s\n\nend\n"));
}

TEST(MailExtractTest, FlowedText) {
  EXPECT_EQ(BodyOf("Subject: x\nContent-Type: text/plain; format=flowed\n\n"
                   ">> Thou villainous ill-breeding \n>> spongy codpiece!\n> text \n"
                   "One \ntwo.\n From the\n-- \nMe\n"),
            "[1]>> Thou villainous ill-breeding spongy codpiece!\n"
            "> text \nOne two.\nFrom the\n-- \nMe\n");
  EXPECT_EQ(BodyOf("Subject: x\nContent-Type: text/plain; format=flowed; delsp=yes\n\n"
                   "\xE3\x81\x82 \n\xE3\x81\x84\n\nnext\n"),
            "[1]\xE3\x81\x82\xE3\x81\x84\n\nnext\n");
}

TEST(MailExtractTest, Uuencode) {
  const std::string message =
      "Subject: x\n\nbefore\nbegin 644 cat.txt\n#0V%T\n`\nend\nafter\nbegin 644 nothing\nof the "
      "kind\n";
  const Extraction got = Read(message);
  EXPECT_EQ(got.text, "# x\n\nbefore\nafter\nbegin 644 nothing\nof the kind\n");
  ASSERT_EQ(got.files.size(), 1u);
  EXPECT_EQ(got.files[0].name, "cat.txt");
  EXPECT_EQ(got.files[0].bytes, "Cat");
}

TEST(MailExtractTest, SignedAndEncrypted) {
  EXPECT_EQ(BodyOf("Subject: x\nContent-Type: multipart/signed; boundary=b; protocol=\"application/"
                   "pgp-signature\"\n\n--b\n\ntext\n--b\nContent-Type: application/pgp-signature; "
                   "name=signature.asc\n\n-----BEGIN PGP SIGNATURE-----\n--b--\n"),
            "[1]text\n");
  const Extraction closed = Read(
      "Subject: x\nContent-Type: multipart/encrypted; boundary=b; protocol=\"application/"
      "pgp-encrypted\"\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\n"
      "Content-Type: application/octet-stream\n\nxxx\n--b--\n");
  EXPECT_EQ(closed.outcome, ExtractOutcome::kEncrypted);
  EXPECT_EQ(closed.reason, "the message is encrypted (OpenPGP)");
  EXPECT_EQ(closed.meta.at("subject"), (std::vector<std::string>{"x"}));
  EXPECT_EQ(Read("Subject: x\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\n"
                 "Content-Transfer-Encoding: base64\n\nAAAA\n")
                .outcome,
            ExtractOutcome::kEncrypted);
  EXPECT_EQ(Read("Subject: x\n\n-----BEGIN PGP MESSAGE-----\n\nabc\n").outcome,
            ExtractOutcome::kEncrypted);
}

TEST(MailExtractTest, Charsets) {
  const auto body = [](const std::string& charset, const std::string& bytes) {
    return BodyOf("Subject: x\nContent-Type: text/plain; charset=" + charset + "\n\n" + bytes);
  };
  EXPECT_EQ(body("koi8-r", "\xF0\xD2"), "[1]\xD0\x9F\xD1\x80\n");
  EXPECT_EQ(body("windows-1252",
                 "\x93"
                 "a\x94"),
            "[1]\xE2\x80\x9C"
            "a\xE2\x80\x9D\n");
  EXPECT_EQ(body("\"ISO_8859-15\"", "\xA4"), "[1]\xE2\x82\xAC\n");
  EXPECT_EQ(body("cp1251", "\xCF\xF0"), "[1]\xD0\x9F\xD1\x80\n");
  EXPECT_EQ(body("us-ascii", "caf\xE9"), "[1]caf\xC3\xA9\n");
  EXPECT_EQ(body("utf-8", "\xEF\xBB\xBFx"), "[1]x\n");
  std::string text;
  EXPECT_EQ(AppendInCharset(std::string_view("\xFF\xFEx\0=\xD8\0\xDE", 8), "utf-16", &text),
            CharsetFit::kGood);
  EXPECT_EQ(text, "x\xF0\x9F\x98\x80");
  const Extraction unknown = Read("Subject: x\nContent-Type: text/plain; charset=klingon\n\na\xFF");
  EXPECT_EQ(unknown.warnings, (std::vector<std::string>{"charset_unknown"}));
  EXPECT_EQ(unknown.text, "# x\n\na\xEF\xBF\xBD\n");
  EXPECT_EQ(Read("Subject: x\nContent-Type: text/plain; charset=utf-8\n\na\xFF").warnings,
            (std::vector<std::string>{"charset_wrong"}));
}

TEST(MailExtractTest, ATextIsReadAsWhatItIs) {
  const auto read = [](const std::string& charset, const std::string& bytes) {
    return Read("Subject: x\nContent-Type: text/plain; charset=" + charset + "\n\n" + bytes);
  };
  const Extraction utf8 = read("ISO-8859-1", "d\u00E9j\u00E0 vu");
  EXPECT_EQ(utf8.text, "# x\n\nd\u00E9j\u00E0 vu\n");
  EXPECT_TRUE(utf8.warnings.empty());
  const Extraction latin = read("utf-8",
                                "Les \xE9l\xE8ves pr\xE9"
                                "f\xE8rent l'\xE9t\xE9.");
  EXPECT_EQ(latin.text, "# x\n\nLes \u00E9l\u00E8ves pr\u00E9f\u00E8rent l'\u00E9t\u00E9.\n");
  EXPECT_EQ(latin.warnings, (std::vector<std::string>{"charset_wrong"}));
}

TEST(MailExtractTest, TransferEncodings) {
  EXPECT_EQ(DecodeMailBase64("SGFs\nbG8=\nSGFs bG8"), "HalloHallo");
  EXPECT_EQ(DecodeQuotedPrintable("a=3D=\r\nb  \r\n=zz=C3=A9 =\n"), "a=b\r\n=zz\xC3\xA9 ");
}

TEST(MailExtractTest, BrokenMessagesAreReadAsFarAsTheyGo) {
  const Extraction no_parts =
      Read("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\nonly text\n");
  EXPECT_EQ(no_parts.text, "# x\n\nonly text\n");
  EXPECT_EQ(no_parts.warnings, (std::vector<std::string>{"parts_broken"}));
  const Extraction cut =
      Read("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext");
  EXPECT_EQ(cut.text, "# x\n\ntext\n");
  EXPECT_EQ(cut.warnings, (std::vector<std::string>{"parts_unclosed"}));
  // An outer boundary ends the inner parts.
  EXPECT_EQ(
      BodyOf("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
             "Content-Type: multipart/mixed; boundary=c\n\n--c\n\ninner\n--b\n\nouter\n--b--\n"),
      "[1.1]inner\n[2]outer\n");
  // A part without the empty line after its header.
  EXPECT_EQ(BodyOf("Subject: x\nContent-Type: multipart/mixed; boundary=b:c\n\n--b:c\n"
                   "Content-Type: text/plain\n--b:c\n\nouter\n--b:c--\n"),
            "[2]outer\n");
  EXPECT_EQ(Read("").outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(Read(std::string("\0binary", 7)).outcome, ExtractOutcome::kDamaged);
}

TEST(MailExtractTest, WithoutAHeaderTheTextIsRead) {
  for (const std::string text :
       {"no header at all\n", "\nDear Ann,\nsee you\n", "X-Only: unknown fields\n\nthe text\n"}) {
    const Extraction got = Read(text);
    EXPECT_EQ(got.outcome, ExtractOutcome::kText);
    EXPECT_EQ(got.text, text.substr(text.find_first_not_of('\n')));
    EXPECT_EQ(got.warnings, std::vector<std::string>{"header_missing"});
  }
}

TEST(MailExtractTest, AppleMailFramesItsMessages) {
  const std::string message = "Subject: x\n\nthe text\n";
  const std::string plist = "<?xml version=\"1.0\"?><plist><dict><key>flags</key></dict></plist>\n";
  EXPECT_EQ(BodyOf(std::to_string(message.size()) + "   \n" + message + plist), "[1]the text\n");
  EXPECT_EQ(BodyOf("999999999999\n" + message), "[1]the text\n");
}

TEST(MhtmlPageTest, TheFirstPartInHtmlIsThePage) {
  const std::string head =
      "From: <Saved by Blink>\r\nSubject: T\r\nMIME-Version: 1.0\r\nContent-Type: "
      "multipart/related;\r\n\ttype=\"text/html\"; boundary=\"b\"\r\n\r\n\r\n--b\r\nContent-Type: ";
  const std::string rest = "\r\n--b\r\nContent-Type: text/css\r\n\r\np { x: y }\r\n--b--\r\n";
  EXPECT_EQ(MhtmlPage(head +
                          "text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
                          "<p>=C3=BC of =\r\nit" +
                          rest,
                      {}),
            "<p>\xC3\xBC of it");
  EXPECT_EQ(
      MhtmlPage(head + "text/html; charset=iso-8859-1\r\n\r\n<meta charset=iso-8859-1>\xFC" + rest,
                {}),
      "\xEF\xBB\xBF<meta charset=iso-8859-1>\xC3\xBC");
  EXPECT_EQ(MhtmlPage("<html>no message", {}), std::nullopt);
  EXPECT_EQ(MhtmlPage(head + "text/plain\r\n\r\ntext" + rest, {}), std::nullopt);
}

// The text of a message with these alternatives.
std::string OfAlternatives(const std::string& plain, const std::string& html) {
  return BodyOf("Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n" + plain +
                "\n--b\nContent-Type: multipart/related; boundary=c\n\n--c\nContent-Type: "
                "text/html; charset=utf-8\n\n" +
                html + "\n--c--\n--b--\n");
}

TEST(MailExtractTest, AStubOfPlainTextLosesToTheHtml) {
  const std::string html = "<p>The harbour opens at nine on Monday, and closes at six.</p>";
  const std::string shown = "[2.1]The harbour opens at nine on Monday, and closes at six.\n";
  EXPECT_EQ(OfAlternatives("Your mail client does not support HTML.", html), shown);
  EXPECT_EQ(OfAlternatives("The harbour", html), shown);
  EXPECT_EQ(
      OfAlternatives("The page: https://example.org/the/harbour/opens/at/nine/on/monday", html),
      shown);
  EXPECT_EQ(OfAlternatives("Bitte im Browser ansehen",
                           "<p>\u6E2F\u53E3\u4E5D\u70B9\u5F00\u516D\u70B9\u5173\u95E8</p>"),
            "[2.1]\u6E2F\u53E3\u4E5D\u70B9\u5F00\u516D\u70B9\u5173\u95E8\n");
  // Not a stub: the same, shorter by less, or beside an HTML of nothing but an image.
  EXPECT_EQ(OfAlternatives("the HARBOUR opens at nine", html), "[1]the HARBOUR opens at nine\n");
  EXPECT_EQ(OfAlternatives("Dear Ann", "<img src=x>"), "[1]Dear Ann\n");
}

TEST(MailExtractTest, AFooterBehindBase64IsReadAsText) {
  const std::string head = "Subject: x\nContent-Transfer-Encoding: base64\n\n";
  const std::string long_line(60, 'Q');
  for (const std::string footer :
       {"_______________\nlist mailing list\nlist@example.org\n", "Unsubscribe\n", "-- \nfoot\n"}) {
    EXPECT_EQ(BodyOf(head + "SGFsbG8=\n" + footer), "[1]Hallo\n" + footer);
    EXPECT_EQ(BodyOf(head + "SGFsbG8=\n\n" + footer), "[1]Hallo\n" + footer);
  }
  // A damaged line between others of base64 is no footer.
  EXPECT_EQ(BodyOf(head + long_line + "\n!!\n" + long_line + "\n"),
            "[1]" + DecodeMailBase64(long_line + long_line) + "\n");
  EXPECT_EQ(BodyOf(head + "SGFsbG8K\nSGFsbG8\n"), "[1]Hallo\nHallo\n");
  // The footer is not a part of a file.
  const Extraction file = Read(
      "Subject: x\nContent-Type: application/pdf; name=a.pdf\n"
      "Content-Transfer-Encoding: base64\n\nAAEC/w==\n___\nlist\n");
  ASSERT_EQ(file.files.size(), 1u);
  EXPECT_EQ(file.files[0].bytes, std::string("\0\1\2\xFF", 4));
}

TEST(MailExtractTest, LimitsHold) {
  ExtractLimits limits;
  limits.max_text_bytes = 20;
  EXPECT_EQ(Read(kMixed, limits).outcome, ExtractOutcome::kTooLarge);
  limits = {};
  limits.max_members = 3;
  EXPECT_EQ(Read(kMixed, limits).outcome, ExtractOutcome::kTooLarge);
  limits = {};
  limits.max_files = 0;
  EXPECT_EQ(Read(kMixed, limits).warnings, (std::vector<std::string>{"files_left_out"}));
  limits = {};
  limits.max_unpacked_bytes = 3;
  EXPECT_EQ(Read(kMixed, limits).warnings, (std::vector<std::string>{"files_left_out"}));
}

// Each ends within a second; without a bound on depth or with quadratic time they would not.
TEST(MailExtractTest, HostileMessages) {
  std::string deep = "Subject: x\n";
  std::string messages, same;
  for (int i = 0; i < 10'000; ++i) {
    const std::string boundary = "b" + std::to_string(i);
    deep += "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n";
    messages += "Subject: x\nContent-Type: message/rfc822\n\n";
    same += "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
  }
  const std::vector<std::pair<std::string, ExtractOutcome>> inputs = {
      {deep, ExtractOutcome::kTooLarge},
      {messages, ExtractOutcome::kText},
      {"Subject: x\n" + same, ExtractOutcome::kTooLarge},
      {"Subject: " + std::string(10 << 20, 'a') + "\n\nx\n", ExtractOutcome::kText},
      {"Subject: x\nTo: " + std::string(10 << 20, '(') + "\n\nx\n", ExtractOutcome::kText},
      {"Subject: x\nTo: " + std::string(10 << 20, ',') + "\n\nx\n", ExtractOutcome::kText},
  };
  for (const auto& [message, outcome] : inputs) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(Read(message).outcome, outcome) << message.substr(0, 60);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  }
  const auto repeat = [](std::string_view piece, size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return text;
  };
  for (const std::string_view piece : {"=?utf-8?q?a?= ", "=?", "=?a?q?", "x\n y", "a:b\n", "\n a",
                                       "<", "a;b*0*=%41;", "\"", "\\"}) {
    for (const std::string_view field :
         {"Subject: ", "To: ", "Content-Type: text/plain; ", "References: ", "Date: "}) {
      Read(std::string(field) + repeat(piece, 4 << 20) + "\n\nx\n");
    }
  }
  for (const std::string_view piece :
       {"--b\n", "--", "\n--b", "begin 644 x\n", "begin 644 x\n`\n", "<", "<!--", "&", "<script>",
        "<blockquote>", "<pre>\n\n", "</script", "<a b='", "=\n", "> ", " \n"}) {
    const std::string body = repeat(piece, 4 << 20);
    Read("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n" + body);
    Read("Subject: x\nContent-Type: text/plain; format=flowed\n\n" + body);
    Read("Subject: x\nContent-Type: text/html\n\n" + body);
    Read("Subject: x\nContent-Transfer-Encoding: quoted-printable\n\n" + body);
  }
}

TEST(MailExtractTest, TruncatedOrChangedMessagesKeepTheContract) {
  for (size_t size = 0; size < kMixed.size(); ++size) {
    ASSERT_EQ(BrokenRuleOf(ExtractMail(std::string_view(kMixed).substr(0, size), {})), "") << size;
  }
  for (size_t i = 0; i < kMixed.size(); ++i) {
    for (const char value : {'\0', '"', '\n', '-', '=', '\xFF', ':', ';', '<'}) {
      std::string changed = kMixed;
      changed[i] = value;
      ASSERT_EQ(BrokenRuleOf(ExtractMail(changed, {})), "") << i;
    }
  }
}

}  // namespace
}  // namespace recall

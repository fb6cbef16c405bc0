#include "index/source/extract/mail/mail_header.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/source/extract/mail/mail_addresses.h"
#include "index/source/extract/mail/mail_date.h"
#include "index/source/extract/mail/mail_parameters.h"
#include "index/source/extract/mail/mail_value.h"

namespace recall {
namespace {

std::string Value(std::string_view raw, std::string_view charset = "") {
  MailNotes notes;
  return DecodeMailValue(raw, charset, &notes);
}

std::vector<std::string> Addresses(std::string_view raw) {
  MailNotes notes;
  return DecodeMailAddresses(raw, "", &notes);
}

MailParameters Parameters(std::string_view raw) {
  MailNotes notes;
  return ReadMailParameters(raw, &notes);
}

TEST(MailHeaderTest, EncodedWords) {
  // The examples of RFC 2047, section 8, as a value in one line.
  EXPECT_EQ(Value("=?ISO-8859-1?Q?a?="), "a");
  EXPECT_EQ(Value("=?ISO-8859-1?Q?a?= b"), "a b");
  EXPECT_EQ(Value("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?="), "ab");
  EXPECT_EQ(Value("=?ISO-8859-1?Q?a?=\r\n   =?ISO-8859-1?Q?b?="), "ab");
  EXPECT_EQ(Value("=?ISO-8859-1?Q?a_b?="), "a b");
  EXPECT_EQ(Value("=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?="), "a b");
  EXPECT_EQ(Value("=?US-ASCII*EN?Q?Keith_Moore?="), "Keith Moore");
  EXPECT_EQ(Value("=?koi8-r?B?8NLJ18XU?="), "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82");
  // A character that is divided among two words.
  EXPECT_EQ(Value("=?utf-8?Q?=C3?= =?utf-8?Q?=A9?="), "\xC3\xA9");
  EXPECT_EQ(Value("=?utf-8?b?broken"), "=?utf-8?b?broken");
  EXPECT_EQ(Value("what =?= is ?="), "what =?= is ?=");
}

TEST(MailHeaderTest, BytesBeyondAscii) {
  EXPECT_EQ(Value("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(Value("caf\xE9"), "caf\xC3\xA9");
  EXPECT_EQ(Value("\xF0\xD2", "koi8-r"), "\xD0\x9F\xD1\x80");
}

TEST(MailHeaderTest, AddressLists) {
  EXPECT_EQ(Addresses("a@b.c"), (std::vector<std::string>{"a@b.c"}));
  EXPECT_EQ(Addresses("\"Doe, J. (x)\" <j@d.e>, =?utf-8?q?=C3=89ve=2C?= <e@v.e>"),
            (std::vector<std::string>{"Doe, J. (x) <j@d.e>", "\xC3\x89ve, <e@v.e>"}));
  EXPECT_EQ(Addresses("j@d.e (John (Jack) Doe)"),
            (std::vector<std::string>{"John (Jack) Doe <j@d.e>"}));
  EXPECT_EQ(Addresses("Team: a@b.c, D <d@e.f>;, x@y.z"),
            (std::vector<std::string>{"a@b.c", "D <d@e.f>", "x@y.z"}));
  EXPECT_EQ(Addresses("undisclosed-recipients:;"), (std::vector<std::string>{}));
  EXPECT_EQ(Addresses("\"a \\\"b\\\" c\" <a@b>"), (std::vector<std::string>{"a \"b\" c <a@b>"}));
}

TEST(MailHeaderTest, Dates) {
  EXPECT_EQ(MailDateInUtc("Fri, 21 Nov 1997 09:55:06 -0600"), "1997-11-21T15:55:06Z");
  EXPECT_EQ(MailDateInUtc(" 21 Nov 97 09:55:06 GMT"), "1997-11-21T09:55:06Z");
  EXPECT_EQ(MailDateInUtc("Thu, 29 Feb 2024 23:30 +0000 (UTC)"), "2024-02-29T23:30:00Z");
  EXPECT_EQ(MailDateInUtc("Sat, 31 Dec 2022 23:59:59 -0100"), "2023-01-01T00:59:59Z");
  EXPECT_EQ(MailDateInUtc("Fri Nov 27 08:41:18 2026"), "2026-11-27T08:41:18Z");
  EXPECT_EQ(MailDateInUtc("1 Jan 2000 00:00:00 EST"), "2000-01-01T05:00:00Z");
  EXPECT_EQ(MailDateInUtc("2014-10-20T14:33:24Z"), "2014-10-20T14:33:24Z");
  EXPECT_EQ(MailDateInUtc("2014-10-20T14:33:24.512+02:00"), "2014-10-20T12:33:24Z");
  EXPECT_EQ(MailDateInUtc("2014-10-20 14:33:24 -0130"), "2014-10-20T16:03:24Z");
  EXPECT_EQ(MailDateInUtc("2014-10-20 14:33:24 +02:00"), "2014-10-20T12:33:24Z");
  EXPECT_EQ(MailDateInUtc("2014-10-20t14:33:24"), "2014-10-20T14:33:24Z");
  EXPECT_EQ(MailDateInUtc("Sat, 01-Jan-2011 12:00:00 GMT"), "2011-01-01T12:00:00Z");
  EXPECT_EQ(MailDateInUtc("Saturday, 01-Jan-11 12:00:00 EST"), "2011-01-01T17:00:00Z");
  EXPECT_EQ(MailDateInUtc("2011-Jan-01 12:00"), "2011-01-01T12:00:00Z");
  EXPECT_EQ(MailDateInUtc("Sat, 01 Jan 2011 12:00:00+0100"), "2011-01-01T11:00:00Z");
  EXPECT_EQ(MailDateInUtc("2014-13-20T14:33:24Z"), "");
  EXPECT_EQ(MailDateInUtc("20-10-2014 14:33:24"), "");
  EXPECT_EQ(MailDateInUtc("-- T:-"), "");
  EXPECT_EQ(MailDateInUtc("yesterday"), "");
  EXPECT_EQ(MailDateInUtc("99 Foo 2000 00:00:00"), "");
}

TEST(MailHeaderTest, ParametersOfRfc2231) {
  // The examples of RFC 2231, sections 3 and 4.
  EXPECT_EQ(Parameters("message/external-body; access-type=URL;\r\n URL*0=\"ftp://\";\r\n "
                       "URL*1=\"cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar\"")["url"],
            "ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar");
  EXPECT_EQ(Parameters("application/x-stuff;\r\n title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A"
                       "%2A%2A")["title"],
            "This is ***fun***");
  EXPECT_EQ(Parameters("application/x-stuff; title*0*=us-ascii'en'This%20is%20even%20more%20;\r\n "
                       "title*1*=%2A%2A%2Afun%2A%2A%2A%20; title*2=\"isn't it!\"")["title"],
            "This is even more ***fun*** isn't it!");
  const MailParameters plain = Parameters("Text/Plain ; charset = \"utf-8\"; format=flowed;x");
  EXPECT_EQ(plain.value, "text/plain");
  EXPECT_EQ(plain["charset"], "utf-8");
  EXPECT_EQ(plain["format"], "flowed");
  EXPECT_EQ(
      Parameters(
          "attachment; filename=\"=?utf-8?B?w6k=?=.txt\"; filename*=utf-8''%C3%A8.txt")["filename"],
      "\xC3\xA8.txt");
  EXPECT_EQ(Parameters("attachment; filename=a b.txt")["filename"], "a b.txt");
}

TEST(MailHeaderTest, BrokenLinesBelongToTheFieldBefore) {
  const std::string_view message =
      "From x@y Fri Nov 27 08:41:18 2026\nSubject: one\ntwo\nTo : a@b\n\nbody";
  const MailHeader header = ReadMailHeader(message);
  EXPECT_EQ(header[MailField::kSubject], " one\ntwo");
  EXPECT_EQ(header[MailField::kTo], " a@b");
  EXPECT_EQ(message.substr(header.body), "body");
  const MailHeader no_end = ReadMailHeader("Subject: one\nthe body\nit goes on\n");
  EXPECT_EQ(no_end.body, 13u);
}

TEST(MailHeaderTest, Ids) {
  EXPECT_EQ(MailIds(" <a@b>\r\n <c@d> junk <e", 9), (std::vector<std::string>{"a@b", "c@d"}));
  EXPECT_EQ(MailIds(" a@b ", 9), (std::vector<std::string>{"a@b"}));
  EXPECT_EQ(MailIds("", 9), (std::vector<std::string>{}));
}

}  // namespace
}  // namespace recall

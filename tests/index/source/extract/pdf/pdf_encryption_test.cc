#include "index/source/extract/pdf/pdf_encryption.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "index/source/extract/pdf/pdf_mark_reader.h"
#include "storage/base/base64.h"
#include "storage/base/cipher.h"
#include "tests/index/source/extract/pdf/encrypted_pdfs.h"
#include "tests/index/source/extract/pdf/pdf_maker.h"

namespace recall {
namespace {

using Names = std::vector<std::string>;

std::string BytesOf(const EncryptedPdf& pdf) { return DecodeBase64(pdf.base64).value(); }

TEST(PdfEncryptionTest, PasswordsOfTheUserAndTheOwnerOpenEachRevision) {
  for (const EncryptedPdf& pdf : kEncryptedPdfs) {
    const std::string file = BytesOf(pdf);
    EXPECT_TRUE(ReadPdfMarks(file, {}).notes.empty()) << pdf.revision;
    for (const std::string password : {"reed", "owner"}) {
      const DecryptedPdf read = DecryptPdf(file, {"wrong", password}, {});
      ASSERT_EQ(read.outcome, ExtractOutcome::kText) << pdf.revision << read.reason;
      EXPECT_EQ(read.reason, "");
      EXPECT_NE(read.bytes.find("(Herons nest) Tj"), std::string::npos) << pdf.revision;
      const PdfMarks marks = ReadPdfMarks(read.bytes, {});
      ASSERT_EQ(marks.notes.size(), 1u) << pdf.revision;
      EXPECT_EQ(marks.notes[0].text, "egrets (too)\n");
      EXPECT_EQ(marks.notes[0].author, "Ann");
    }
  }
}

TEST(PdfEncryptionTest, AWrongPasswordIsAReasonThatDoesNotRepeatIt) {
  for (const EncryptedPdf& pdf : kEncryptedPdfs) {
    const DecryptedPdf one = DecryptPdf(BytesOf(pdf), {"swordfish"}, {});
    EXPECT_EQ(one.outcome, ExtractOutcome::kEncrypted);
    EXPECT_EQ(one.reason, "the password does not open it");
    EXPECT_EQ(one.bytes, "");
    EXPECT_EQ(DecryptPdf(BytesOf(pdf), {"a", std::string(500, 'b')}, {}).reason,
              "none of the 2 passwords opens it");
  }
}

TEST(PdfEncryptionTest, OtherEncryptionIsNotRead) {
  const auto outcome = [](const std::string& trailer) {
    return DecryptPdf(MakePdfOfObjects({"<< /Type /Catalog >>"}, trailer), {"x"}, {}).outcome;
  };
  EXPECT_EQ(outcome(""), ExtractOutcome::kDamaged);
  EXPECT_EQ(outcome("/Encrypt << /Filter /Adobe.PubSec /V 4 /R 4 >>"),
            ExtractOutcome::kUnsupported);
  EXPECT_EQ(outcome("/Encrypt << /Filter /Standard /V 9 /R 9 >>"), ExtractOutcome::kUnsupported);
  EXPECT_EQ(outcome("/Encrypt << /Filter /Standard /V 1 /R 2 /O (short) >>"),
            ExtractOutcome::kDamaged);
}

TEST(PdfEncryptionTest, TheResultIsLimited) {
  ExtractLimits limits;
  limits.max_unpacked_bytes = 100;
  EXPECT_EQ(DecryptPdf(BytesOf(kEncryptedPdfs[0]), {"reed"}, limits).outcome,
            ExtractOutcome::kTooLarge);
}

TEST(PdfEncryptionTest, AnyTruncationAndChangeIsRead) {
  for (const EncryptedPdf& pdf : kEncryptedPdfs) {
    const std::string file = BytesOf(pdf);
    const size_t step = pdf.revision == 6 ? 41 : 7;  // its sums are slow on purpose
    for (size_t at = 0; at < file.size(); at += step) {
      DecryptPdf(std::string_view(file).substr(0, at), {"reed"}, {});
      for (const char byte : {'\0', '<', '9', '\xFF'}) {
        std::string changed = file;
        changed[at] = byte;
        DecryptPdf(changed, {"reed"}, {});
      }
    }
  }
}

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

// Examples of RFC 1321, FIPS 180-4, RFC 6229 and NIST SP 800-38A.
TEST(CipherTest, KnownAnswers) {
  EXPECT_EQ(Hex(Md5("abc")), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(Hex(Sha256Bytes("abc")).substr(0, 16), "ba7816bf8f01cfea");
  EXPECT_EQ(Hex(Sha384Bytes("abc")).substr(0, 16), "cb00753f45a35e8b");
  EXPECT_EQ(Hex(Sha512Bytes("abc")).substr(0, 16), "ddaf35a193617aba");
  EXPECT_EQ(Hex(Rc4("\1\2\3\4\5", std::string(8, '\0'))), "b2396305f03dc027");
  const auto bytes = [](std::string_view hex) {
    std::string out;
    for (size_t i = 0; i < hex.size(); i += 2) {
      out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    }
    return out;
  };
  const std::string vector = bytes("000102030405060708090a0b0c0d0e0f");
  const std::string block = bytes("6bc1bee22e409f96e93d7e117393172a");
  const std::pair<std::string_view, std::string_view> kAnswers[] = {
      {"2b7e151628aed2a6abf7158809cf4f3c", "7649abac8119b246cee98e9b12e9197d"},
      {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
       "f58c4c04d6e5f1ba779eabfb5f7bfbd6"}};
  for (const auto& [key, answer] : kAnswers) {
    EXPECT_EQ(Hex(AesCbcEncrypt(bytes(key), vector, block + "rest")), answer);
    EXPECT_EQ(AesCbcDecrypt(bytes(key), vector, bytes(answer)), block);
  }
}

}  // namespace
}  // namespace recall

#include "index/source/extract/pdf/pdf_encryption.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "index/source/extract/pdf/pdf_objects.h"
#include "storage/base/cipher.h"
#include "storage/base/coding.h"

// Problem: pdftotext takes a password only as an argument, which every user of the machine can
// read.
//
// Idea: the file is decrypted here, and pdftotext reads the result. Strings and streams of objects
// are encrypted, each with a key of its object; the rest of the syntax is not. So objects are
// copied, but for their strings, which become hexadecimal, and the length of their streams. Objects
// that are packed in streams are written as others, so that one table of the old form lists all.

namespace recall {
namespace {

constexpr std::string_view kPadding(
    "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08"
    "\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A",
    32);
constexpr std::string_view kZeroVector("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
constexpr size_t kMostModernPassword = 127;

enum class PdfCipher : uint8_t { kNone, kRc4, kAes128, kAes256 };

// What /Encrypt says.
struct EncryptionFacts {
  int64_t revision = 0;
  size_t key_bytes = 5;
  std::string owner, user, owner_key, user_key;  // /O /U /OE /UE
  uint32_t permissions = 0;
  bool encrypts_metadata = true;
  std::string id;  // the first of the file's
  PdfCipher strings = PdfCipher::kRc4, streams = PdfCipher::kRc4;
};

std::string LittleBytes(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string PaddedPassword(std::string_view password) {
  std::string padded(password.substr(0, kPadding.size()));
  return padded += kPadding.substr(0, kPadding.size() - padded.size());
}

// Encrypts with keys that differ from `key` by `first`, ..., `last`.
std::string Rc4Rounds(std::string_view key, std::string text, int first, int last) {
  for (int round = first; round != last; round += first < last ? 1 : -1) {
    std::string changed(key);
    for (char& c : changed) c = static_cast<char>(c ^ round);
    text = Rc4(changed, text);
  }
  return text;
}

// The key of a file up to revision 4, for the user's password (algorithm 2).
std::string KeyOfUser(const EncryptionFacts& facts, std::string_view password) {
  std::string input = PaddedPassword(password) + facts.owner.substr(0, 32) +
                      LittleBytes(facts.permissions, 4) + facts.id;
  if (facts.revision >= 4 && !facts.encrypts_metadata) input += "\xFF\xFF\xFF\xFF";
  std::string key = Md5(input);
  key.resize(facts.key_bytes);
  for (int i = 0; i < 50 && facts.revision >= 3; ++i) {
    key = Md5(key);
    key.resize(facts.key_bytes);
  }
  return key;
}

std::optional<std::string> TryUser(const EncryptionFacts& facts, std::string_view password) {
  const std::string key = KeyOfUser(facts, password);
  if (facts.revision == 2) {
    const bool fits = Rc4(key, kPadding) == facts.user.substr(0, 32);
    return fits ? std::optional(key) : std::nullopt;
  }
  const std::string sum = Md5(std::string(kPadding) + facts.id);
  const bool fits = Rc4Rounds(key, sum, 0, 20) == facts.user.substr(0, 16);
  return fits ? std::optional(key) : std::nullopt;
}

std::optional<std::string> TryOwner(const EncryptionFacts& facts, std::string_view password) {
  std::string key = Md5(PaddedPassword(password));
  for (int i = 0; i < 50 && facts.revision >= 3; ++i) key = Md5(key.substr(0, facts.key_bytes));
  key.resize(facts.key_bytes);
  const std::string owner = facts.owner.substr(0, 32);
  const std::string user = facts.revision == 2 ? Rc4(key, owner) : Rc4Rounds(key, owner, 19, -1);
  return TryUser(facts, user);
}

// The sum of a password and others (algorithm 2.B; of revision 5 plain SHA-256).
std::string ModernSum(const EncryptionFacts& facts, std::string_view password,
                      std::string_view salt, std::string_view user) {
  std::string key = Sha256Bytes(std::string(password) + std::string(salt) + std::string(user));
  if (facts.revision == 5) return key;
  for (int round = 1;; ++round) {
    const std::string once = std::string(password) + key + std::string(user);
    std::string repeated;
    for (int i = 0; i < 64; ++i) repeated += once;
    const std::string encrypted = AesCbcEncrypt(key.substr(0, 16), key.substr(16, 16), repeated);
    int sum = 0;
    for (size_t i = 0; i < 16; ++i) sum += static_cast<uint8_t>(encrypted[i]);
    key = sum % 3 == 0   ? Sha256Bytes(encrypted)
          : sum % 3 == 1 ? Sha384Bytes(encrypted)
                         : Sha512Bytes(encrypted);
    if (round >= 64 && static_cast<uint8_t>(encrypted.back()) <= round - 32) break;
  }
  return key.substr(0, 32);
}

std::optional<std::string> TryModern(const EncryptionFacts& facts, std::string_view password) {
  password = password.substr(0, kMostModernPassword);
  const std::string_view user = std::string_view(facts.user).substr(0, 48);
  const std::string_view owner = std::string_view(facts.owner).substr(0, 48);
  // 32 bytes of a sum, and two salts of 8 bytes.
  if (ModernSum(facts, password, user.substr(32, 8), "") == user.substr(0, 32)) {
    const std::string key = ModernSum(facts, password, user.substr(40, 8), "");
    return AesCbcDecrypt(key, kZeroVector, facts.user_key);
  }
  if (ModernSum(facts, password, owner.substr(32, 8), user) == owner.substr(0, 32)) {
    const std::string key = ModernSum(facts, password, owner.substr(40, 8), user);
    return AesCbcDecrypt(key, kZeroVector, facts.owner_key);
  }
  return std::nullopt;
}

std::optional<std::string> FindKey(const EncryptionFacts& facts,
                                   const std::vector<std::string>& passwords) {
  for (const std::string& password : passwords) {
    auto key = facts.revision >= 5 ? TryModern(facts, password) : TryUser(facts, password);
    if (!key && facts.revision < 5) key = TryOwner(facts, password);
    if (key) return key;
  }
  return std::nullopt;
}

class PdfDecrypter final {
 public:
  PdfDecrypter(std::string_view file, const ExtractLimits& limits)
      : file_(file), objects_(file, limits), most_bytes_(limits.max_unpacked_bytes) {}

  DecryptedPdf Run(const std::vector<std::string>& passwords) {
    if (!ReadFacts()) return std::move(result_);
    auto key = FindKey(facts_, passwords);
    if (!key) {
      const bool one = passwords.size() == 1;
      return {ExtractOutcome::kEncrypted,
              one ? "the password does not open it"
                  : "none of the " + std::to_string(passwords.size()) + " passwords opens it",
              ""};
    }
    key_ = std::move(*key);
    objects_.UnpackDecrypted([this](const PdfObject& object, std::string_view bytes) {
      return Decrypted(object, facts_.streams, bytes);
    });
    Write();
    return std::move(result_);
  }

 private:
  bool Fail(ExtractOutcome outcome, std::string reason) {
    result_ = {outcome, std::move(reason), ""};
    return false;
  }

  std::string StringAt(const PdfValue& dictionary, std::string_view key) {
    const PdfValue value = objects_.At(dictionary, key);
    return value.IsString() ? PdfStringBytes(value) : "";
  }

  bool ReadFacts() {
    const PdfValue encryption = objects_.Encryption();
    if (encryption.kind != PdfValue::Kind::kDictionary) {
      return Fail(ExtractOutcome::kDamaged, "what encrypts it is missing");
    }
    const int64_t version = objects_.At(encryption, "V").number;
    facts_.revision = objects_.At(encryption, "R").number;
    const bool known = facts_.revision >= 2 && facts_.revision <= 6 && version >= 1 && version <= 5;
    if (!objects_.At(encryption, "Filter").IsName("Standard") || !known || version == 3) {
      return Fail(ExtractOutcome::kUnsupported, "it is encrypted in a way that is not known");
    }
    facts_.owner = StringAt(encryption, "O");
    facts_.user = StringAt(encryption, "U");
    facts_.owner_key = StringAt(encryption, "OE");
    facts_.user_key = StringAt(encryption, "UE");
    facts_.permissions = static_cast<uint32_t>(objects_.At(encryption, "P").number);
    const PdfValue ids = objects_.At(objects_.trailer(), "ID");
    if (!ids.items.empty()) facts_.id = PdfStringBytes(objects_.Resolved(ids.items[0]));
    facts_.encrypts_metadata = objects_.At(encryption, "EncryptMetadata").text != "false";
    const bool modern = facts_.revision >= 5;
    const size_t least = modern ? 48 : 32;
    if (facts_.owner.size() < least || facts_.user.size() < (modern ? 48u : 16u) ||
        (modern && (facts_.owner_key.size() < 32 || facts_.user_key.size() < 32))) {
      return Fail(ExtractOutcome::kDamaged, "facts of its encryption are missing");
    }
    facts_.owner_key.resize(32 * (modern ? 1 : 0));
    facts_.user_key.resize(32 * (modern ? 1 : 0));
    ReadKeySize(encryption, version);
    return version < 4 || ReadFilters(encryption);
  }

  void ReadKeySize(const PdfValue& encryption, int64_t version) {
    int64_t bits = version == 1 ? 40 : objects_.At(encryption, "Length").number;
    if (bits == 0) bits = version == 4 ? 128 : 40;
    if (bits < 40) bits *= 8;  // some programs give bytes
    facts_.key_bytes = static_cast<size_t>(std::clamp<int64_t>(bits / 8, 5, 16));
    if (version == 4) facts_.key_bytes = 16;
  }

  bool ReadFilters(const PdfValue& encryption) {
    const PdfValue filters = objects_.At(encryption, "CF");
    for (auto& [key, cipher] : {std::pair<std::string_view, PdfCipher*>{"StmF", &facts_.streams},
                                {"StrF", &facts_.strings}}) {
      const PdfValue name = objects_.At(encryption, key);
      *cipher = PdfCipher::kNone;
      if (name.kind == PdfValue::Kind::kNull || name.IsName("Identity")) continue;
      const PdfValue method = objects_.At(objects_.At(filters, name.text), "CFM");
      if (method.IsName("V2")) *cipher = PdfCipher::kRc4;
      if (method.IsName("AESV2")) *cipher = PdfCipher::kAes128;
      if (method.IsName("AESV3")) *cipher = PdfCipher::kAes256;
      if (*cipher == PdfCipher::kNone && !method.IsName("None")) {
        return Fail(ExtractOutcome::kUnsupported, "it is encrypted in a way that is not known");
      }
    }
    return true;
  }

  std::string Decrypted(const PdfObject& object, PdfCipher cipher, std::string_view bytes) const {
    if (cipher == PdfCipher::kNone) return std::string(bytes);
    std::string key = key_;
    if (cipher != PdfCipher::kAes256) {
      key += LittleBytes(static_cast<uint64_t>(object.number), 3) +
             LittleBytes(static_cast<uint64_t>(object.generation), 2);
      if (cipher == PdfCipher::kAes128) key += "sAlT";
      key = Md5(key).substr(0, std::min<size_t>(key_.size() + 5, 16));
    }
    if (cipher == PdfCipher::kRc4) return Rc4(key, bytes);
    if (bytes.size() < 32 || (key.size() != 16 && key.size() != 32)) return "";
    std::string text = AesCbcDecrypt(key, bytes.substr(0, 16), bytes.substr(16));
    const auto padding = static_cast<uint8_t>(text.back());
    if (padding >= 1 && padding <= 16) text.resize(text.size() - padding);
    return text;
  }

  // Lists the strings of a value, in their order.
  static void FindStrings(const PdfValue& value, std::vector<const PdfValue*>* strings) {
    if (value.IsString()) strings->push_back(&value);
    for (const PdfValue& item : value.items) FindStrings(item, strings);
  }

  // Appends the value of an object with its strings decrypted, and the length of its stream.
  void AppendValue(const PdfObject& object, size_t end, const std::string* stream) {
    PdfParser parser(file_, object.begin);
    const PdfValue value = parser.Value();
    std::vector<const PdfValue*> parts;
    FindStrings(value, &parts);
    const PdfValue& length = value.At("Length");
    if (stream != nullptr && !length.text.empty()) parts.push_back(&length);
    const auto begin_of = [&](const PdfValue* part) {
      return static_cast<size_t>(part->text.data() - file_.data());
    };
    std::ranges::sort(parts, {}, begin_of);
    std::string& out = result_.bytes;
    size_t at = object.begin;
    for (const PdfValue* part : parts) {
      const bool is_string = part->IsString();
      const size_t begin = begin_of(part) - (is_string ? 1 : 0);
      out += file_.substr(at, begin - at);
      at = std::min(begin + part->text.size() + (is_string ? 2 : 0), end);
      if (is_string) {
        AppendHex(Decrypted(object, facts_.strings, PdfStringBytes(*part)));
      } else {
        out += std::to_string(stream->size());
      }
    }
    out += file_.substr(at, end - at);
  }

  void AppendHex(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    result_.bytes += '<';
    for (const char c : bytes) {
      const auto byte = static_cast<uint8_t>(c);
      result_.bytes += kDigits[byte >> 4];
      result_.bytes += kDigits[byte & 15];
    }
    result_.bytes += '>';
  }

  void BeginObject(int64_t number, int64_t generation) {
    places_.push_back({number, generation, result_.bytes.size()});
    result_.bytes += std::to_string(number) + " " + std::to_string(generation) + " obj\n";
  }

  void WriteObject(const PdfObject& object) {
    PdfParser parser(file_, object.begin);
    const PdfValue value = parser.Value();
    const PdfValue& type = value.At("Type");
    if (object.has_stream && (type.IsName("ObjStm") || type.IsName("XRef"))) return;
    BeginObject(object.number, object.generation);
    if (!object.has_stream) {
      AppendValue(object, object.end, nullptr);
    } else {
      const bool plain = type.IsName("Metadata") && !facts_.encrypts_metadata;
      const std::string stream =
          Decrypted(object, plain ? PdfCipher::kNone : facts_.streams, objects_.StreamOf(object));
      AppendValue(object, parser.at(), &stream);
      result_.bytes += "\nstream\n";
      result_.bytes += stream;
      result_.bytes += "\nendstream";
    }
    result_.bytes += "\nendobj\n";
  }

  bool IsTooLarge() {
    if (result_.bytes.size() <= most_bytes_) return false;
    Fail(ExtractOutcome::kTooLarge,
         "decrypted it has more than " + std::to_string(most_bytes_) + " bytes");
    return true;
  }

  void Write() {
    result_.bytes = "%PDF-1.7\n";
    const PdfValue& encryption = objects_.trailer().At("Encrypt");
    for (const PdfObject& object : objects_.objects()) {
      const bool is_encryption =
          encryption.kind == PdfValue::Kind::kReference && encryption.number == object.number;
      if (is_encryption || !objects_.Counts(object)) continue;
      WriteObject(object);
      if (IsTooLarge()) return;
    }
    objects_.ForEachPacked([&](int64_t number, std::string_view value) {
      if (result_.bytes.size() > most_bytes_) return;
      BeginObject(number, 0);
      result_.bytes += value;
      result_.bytes += "\nendobj\n";
    });
    if (IsTooLarge()) return;
    const size_t table = result_.bytes.size();
    result_.bytes += "xref\n0 1\n0000000000 65535 f \n";
    int64_t most = 0;
    for (const WrittenObject& object : places_) {
      const std::string offset = std::to_string(object.offset);
      const std::string generation = std::to_string(object.generation % 65536);
      result_.bytes += std::to_string(object.number) + " 1\n" +
                       std::string(10 - std::min<size_t>(offset.size(), 10), '0') + offset + " " +
                       std::string(5 - generation.size(), '0') + generation + " n \n";
      most = std::max(most, object.number);
    }
    result_.bytes += "trailer\n<< /Size " + std::to_string(most + 1);
    for (const std::string_view key : {"Root", "Info"}) {
      const PdfValue& value = objects_.trailer().At(key);
      if (value.kind == PdfValue::Kind::kReference) {
        result_.bytes += " /" + std::string(key) + " " + std::string(value.text);
      }
    }
    result_.bytes += " >>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
  }

  struct WrittenObject {
    int64_t number, generation;
    size_t offset;
  };

  std::string_view file_;
  PdfObjects objects_;
  uint64_t most_bytes_;
  EncryptionFacts facts_;
  std::string key_;
  DecryptedPdf result_;
  std::vector<WrittenObject> places_;
};

}  // namespace

DecryptedPdf DecryptPdf(std::string_view file, const std::vector<std::string>& passwords,
                        const ExtractLimits& limits) {
  return PdfDecrypter(file, limits).Run(passwords);
}

}  // namespace recall

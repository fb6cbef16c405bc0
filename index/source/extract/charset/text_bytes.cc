#include "index/source/extract/charset/text_bytes.h"

#include <algorithm>
#include <array>

#include "index/base/text/utf8.h"
#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/charset/charset_detector.h"

namespace recall {
namespace {

// Texts have at most one bad byte in this many.
constexpr uint64_t kBytesPerBadByte = 100;

// Control characters that texts have: tab, line ends, form feed, backspace and bell of terminals,
// escape, and the end-of-file mark of DOS.
bool IsTextControl(uint8_t c) { return (c >= 7 && c <= 13) || c == 0x1A || c == 0x1B; }
bool IsBadControl(uint8_t c) { return c < 0x20 && !IsTextControl(c); }

struct ByteCounts {
  uint64_t nul = 0;
  uint64_t controls = 0;  // that texts do not have, NUL included
};

ByteCounts CountBytes(std::string_view bytes) {
  std::array<uint64_t, 32> counts{};
  for (const char c : bytes) {
    if (static_cast<uint8_t>(c) < 32) ++counts[static_cast<uint8_t>(c)];
  }
  ByteCounts found{.nul = counts[0]};
  for (uint8_t c = 0; c < 32; ++c) found.controls += IsBadControl(c) ? counts[c] : 0;
  return found;
}

// Signatures of files that are no texts although most of their bytes may be ASCII.
bool HasSignature(std::string_view bytes) {
  constexpr std::string_view kSignatures[] = {
      "\x7F"
      "ELF",
      "\x89PNG",
      "%PDF-",
      "PK\x03\x04",
      "SQLite format 3",
      "\x1F\x8B",
      "BZh",
      "GIF8",
      "RIFF",
      "OggS",
      "!<arch>\n",
      "II*",
      "MM",
      "\xFD"
      "7zXZ",
      "\xCA\xFE\xBA\xBE",
      "\x28\xB5\x2F\xFD",
      "\xDE\x12\x04\x95",
      "\x95\x04\x12\xDE",
      "wOFF",
      "\x80\x01%!"};
  return (bytes.size() > 262 && bytes.substr(257, 5) == "ustar") ||
         std::ranges::any_of(kSignatures,
                             [&](std::string_view mark) { return bytes.starts_with(mark); });
}

Status NotText(std::string_view bytes) {
  const size_t nul = bytes.find('\0');
  size_t bad = 0;
  if (!IsValidUtf8(bytes.substr(0, nul), &bad)) {
    return Status::InvalidArgument("it is not text: invalid UTF-8 at byte " + std::to_string(bad) +
                                       ", and no other charset fits",
                                   "if it is text, name its charset with --encoding");
  }
  return Status::InvalidArgument("it is not text: it has a NUL at byte " + std::to_string(nul));
}

struct Mark {
  std::string_view bytes;
  std::string_view charset;
};
// That of UTF-32LE begins as that of UTF-16LE does.
constexpr Mark kMarks[] = {{std::string_view("\xFF\xFE\0\0", 4), "utf-32le"},
                           {std::string_view("\0\0\xFE\xFF", 4), "utf-32be"},
                           {"\xFF\xFE", "utf-16le"},
                           {"\xFE\xFF", "utf-16be"}};

// How many units of a wide charset are no characters of texts: bad ones and control characters.
uint64_t CountBad(std::string_view text) {
  uint64_t bad = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = DecodeUtf8(text, &at);
    const bool is_private = (c >= 0xE000 && c < 0xF900) || c >= 0xF0000;
    const bool unassigned = (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c < 0xFDF0);
    bad += c == 0xFFFD || is_private || unassigned || (c < 0x20 && IsBadControl(uint8_t(c)));
  }
  return bad;
}

uint64_t CountReplacements(std::string_view text) {
  uint64_t count = 0;
  for (size_t at = text.find("\uFFFD"); at != text.npos; at = text.find("\uFFFD", at + 3)) ++count;
  return count;
}

// Decodes bytes of a known charset; nothing if too much of it is bad.
std::optional<DecodedText> DecodeAs(std::string_view bytes, std::string_view charset) {
  DecodedText decoded{.text = {}, .charset = std::string(charset)};
  AppendInCharset(bytes, charset, &decoded.text);
  if (decoded.text.starts_with(kByteOrderMark)) decoded.text.erase(0, kByteOrderMark.size());
  if (CountBad(decoded.text) * kBytesPerBadByte >= bytes.size()) return std::nullopt;
  std::ranges::replace(decoded.text, '\0', '?');
  decoded.replaced = CountReplacements(decoded.text);
  return decoded;
}

// UTF-16 without a mark: in half of the bytes at least four in ten are zero, in the others none.
std::string_view WideByZeros(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, std::min<size_t>(bytes.size(), 8192) & ~size_t{1});
  if (head.size() < 8 || bytes.size() % 2 != 0) return {};
  uint64_t zeros[2] = {0, 0};
  for (size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  const uint64_t enough = head.size() / 5;
  if (zeros[0] == 0 && zeros[1] >= enough) return "utf-16le";
  if (zeros[1] == 0 && zeros[0] >= enough) return "utf-16be";
  return {};
}

// Whether all that is wide is text: no control character at all, and no bad unit.
std::optional<DecodedText> DecodeWideByZeros(std::string_view bytes) {
  const std::string_view charset = WideByZeros(bytes);
  if (charset.empty()) return std::nullopt;
  std::optional<DecodedText> decoded = DecodeAs(bytes, charset);
  if (!decoded || CountBad(decoded->text) > 0) return std::nullopt;
  return decoded;
}

// UTF-8 with a few bad bytes: ill-formed ones, and NUL, which the index cannot hold.
std::optional<DecodedText> Repaired(std::string_view bytes, const ByteCounts& counts) {
  DecodedText decoded{.text = {}, .charset = "utf-8"};
  uint64_t bad = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t before = at;
    const uint32_t c = DecodeUtf8(bytes, &at);
    const bool ill_formed = c == 0xFFFD && at - before == 1;
    bad += ill_formed || c == 0 ? 1 : 0;
    AppendUtf8(c == 0 ? 0xFFFD : c, &decoded.text);
  }
  decoded.replaced = bad;
  // Binary formats begin with a signature, in which there is often a control character.
  constexpr size_t kSignatureBytes = 16;
  if (CountBytes(bytes.substr(0, kSignatureBytes)).controls > 0) return std::nullopt;
  const uint64_t controls = counts.controls - counts.nul;
  // One bad byte is an accident in a short text, too.
  const bool one_is_bad = bad == 1 && counts.nul + controls == 0 && bytes.size() > kSignatureBytes;
  if (!one_is_bad && (bad + controls) * kBytesPerBadByte >= bytes.size()) return std::nullopt;
  return decoded;
}

// Whether ASCII has the escapes of ISO-2022-JP and is that.
bool IsIso2022Jp(std::string_view bytes) {
  for (size_t at = bytes.find('\x1B'); at != bytes.npos; at = bytes.find('\x1B', at + 1)) {
    const std::string_view escape = bytes.substr(at, 3);
    if (escape != "\x1B$B" && escape != "\x1B$@") continue;
    const auto beyond = [](char c) { return static_cast<uint8_t>(c) >= 0x80; };
    if (std::ranges::any_of(bytes, beyond)) return false;
    std::string text;
    return AppendInCharset(bytes, "iso-2022-jp", &text) == CharsetFit::kGood;
  }
  return false;
}

// How many characters beyond ASCII UTF-8 has.
uint64_t CountCharacters(std::string_view text) {
  return static_cast<uint64_t>(
      std::ranges::count_if(text, [](char c) { return static_cast<uint8_t>(c) >= 0xC0; }));
}

// More characters of several bytes than bad bytes are no accident of another charset.
bool IsMostlyUtf8(std::string_view bytes) {
  uint64_t characters = 0, bad = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t before = at;
    const uint32_t c = DecodeUtf8(bytes, &at);
    if (at - before > 1) ++characters;
    if (c == 0xFFFD && at - before == 1) ++bad;
  }
  return characters > 3 * bad;
}

}  // namespace

Result<std::optional<DecodedText>> DecodeTextBytes(std::string_view bytes, std::string_view given) {
  for (const Mark& mark : kMarks) {
    if (!bytes.starts_with(mark.bytes)) continue;
    auto decoded = DecodeAs(bytes, mark.charset);
    if (decoded) return decoded;
  }
  const bool has_nul = bytes.find('\0') != bytes.npos;
  if (!has_nul && IsValidUtf8(bytes)) {
    if (given.empty() && !IsIso2022Jp(bytes)) return std::nullopt;
    const auto decoded = DecodeAs(bytes, given.empty() ? "iso-2022-jp" : given);
    // Of a charset that the user names UTF-8 is right where the text is UTF-8 beyond ASCII, too.
    const bool escapes = decoded && bytes.find('\x1B') != bytes.npos && decoded->text != bytes;
    if (!escapes || decoded->replaced > 0) return std::nullopt;
    return decoded;
  }
  if (HasSignature(bytes)) return Fail(NotText(bytes));
  if (!given.empty()) {
    auto decoded = DecodeAs(bytes, given);
    if (!decoded) return Fail(NotText(bytes));
    decoded->is_given = true;
    return decoded;
  }
  if (auto decoded = DecodeWideByZeros(bytes)) return decoded;
  const ByteCounts counts = CountBytes(bytes);
  if (counts.controls == 0 && !IsMostlyUtf8(bytes)) {
    const std::string_view charset = DetectCharset(bytes);
    auto decoded = charset.empty() ? std::nullopt : DecodeAs(bytes, charset);
    if (decoded) return decoded;
  }
  auto repaired = Repaired(bytes, counts);
  if (!repaired) return Fail(NotText(bytes));
  return repaired;
}

namespace {

// How much speaks for UTF-8 in a well-formed text that is also one of a charset of pairs. By chance
// the pairs of a few common characters are well-formed: two Chinese characters of GBK can be two
// letters of Latin. Not so
//   - sequences of three bytes: the pairs begin with characters that hardly a text has;
//   - quotes and dashes (E2 80 ..);
//   - a letter of Latin beside a small letter of ASCII, as in "Café".
uint64_t EvidenceOfUtf8(std::string_view bytes, uint64_t enough) {
  uint64_t evidence = 0;
  const auto is_small = [&](size_t at) {
    return at < bytes.size() && bytes[at] >= 'a' && bytes[at] <= 'z';
  };
  for (size_t at = 0; at < bytes.size() && evidence < enough;) {
    const size_t begin = at;
    const uint32_t code = DecodeUtf8(bytes, &at);
    if (code < 0x80) continue;
    const bool is_latin = code >= 0xC0 && code < 0x250;
    const bool is_mark = code >= 0x2010 && code <= 0x203A;
    const bool in_word = is_latin && (is_small(begin - 1) || is_small(at));
    evidence += is_mark || in_word ? enough : at - begin > 2 ? at - begin : 1;
  }
  return evidence;
}

}  // namespace

CharsetChoice ReconcileCharset(std::string_view bytes, std::string_view declared) {
  constexpr uint64_t kEnoughEvidence = 6;
  std::string name(declared);
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  const bool says_nothing = SaysNoCharset(declared);
  if (name.starts_with("utf-16") || name.starts_with("utf-32") ||
      (!says_nothing && !IsKnownCharset(declared))) {
    return {std::string(declared)};
  }
  if (!IsValidUtf8(bytes)) {
    const bool is_utf8 = name == "utf-8" || name == "utf8";
    if ((!is_utf8 && !says_nothing) || IsMostlyUtf8(bytes)) return {std::string(declared)};
    const std::string_view detected = DetectCharset(bytes);
    if (detected.empty()) return {std::string(declared)};
    return {std::string(detected), is_utf8};
  }
  const uint64_t characters = CountCharacters(bytes);
  if (characters == 0) return {std::string(declared)};
  std::string text;
  const bool is_good = AppendInCharset(bytes, declared, &text) == CharsetFit::kGood;
  const auto beyond = [](char c) { return static_cast<uint8_t>(c) >= 0x80; };
  const auto high = static_cast<uint64_t>(std::ranges::count_if(bytes, beyond));
  const bool has_pairs = is_good && CountCharacters(text) < high;
  const bool is_utf8 = !has_pairs || EvidenceOfUtf8(bytes, kEnoughEvidence) >= kEnoughEvidence;
  return {is_utf8 ? "utf-8" : std::string(declared)};
}

Status MayBeTextHead(std::string_view head) {
  constexpr uint64_t kBytesPerControl = 20;
  const auto is_marked = [&](const Mark& mark) { return head.starts_with(mark.bytes); };
  if (std::ranges::any_of(kMarks, is_marked)) return Status::Ok();
  if (head.find('\0') == head.npos && IsValidUtf8(head)) return Status::Ok();
  if (HasSignature(head)) return NotText(head);
  if (!WideByZeros(head.substr(0, head.size() & ~size_t{1})).empty()) return Status::Ok();
  // Compressed data has one such control character in ten bytes.
  if (CountBytes(head).controls * kBytesPerControl > head.size()) return NotText(head);
  return Status::Ok();
}

}  // namespace recall

#include "index/source/secrets/secret_scan.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <memory>
#include <optional>

#include "index/source/secrets/lazy_pattern.h"
#include "index/source/secrets/published_examples.h"
#include "index/source/secrets/secret_formats.h"
#include "index/source/secrets/secret_marker.h"
#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

// The problem: hundreds of megabytes of text contain a few keys or none, and looking for them must
// not slow an ingest.
//
//   text --every third pair of bytes--> places of anchors --regular expression--> secrets
//
// Each format has an anchor: four bytes that occur in each of its keys at a fixed place. An anchor
// consists of three overlapping pairs of bytes, and wherever it stands, one of them begins at a
// multiple of three. So only these pairs are looked up, in a table of all pairs of all anchors,
// which tells where in an anchor a pair may stand. Unlike a table of skips, no look-up waits for
// the one before it. The anchors are those with rare pairs. Only places of anchors are compared
// with the regular expression of their format, which is compiled when the first of its anchors is
// met.
//
// False alarms teach users to ignore warnings. Therefore a format is listed only if its keys say
// what they are. The match must not continue a word, and its characters must vary: `ghp_xxxx...` is
// a placeholder. A few published examples are known by name.

constexpr size_t kAnchorBytes = 4;
constexpr size_t kPairsOfAnchor = 3;
// A longer private key is not recognised; one of 16,384 bits has 12 KiB.
constexpr size_t kMostPemBytes = 32 << 10;
constexpr size_t kLeastPemCharacters = 64;
constexpr int kLeastDistinctCharacters = 8;

bool IsWordByte(char c) { return IsSecretAlnum(c) || c == '_'; }

bool IsPemByte(char c) { return IsSecretAlnum(c) || c == '+' || c == '/' || c == '='; }

// Behind the number of a line, as tools print it.
constexpr std::string_view kArrow = "\xE2\x86\x92";

bool IsLineNumber(std::string_view digits, std::string_view rest) {
  return digits.size() <= 6 && std::all_of(digits.begin(), digits.end(), IsSecretDigit) &&
         (rest.starts_with('\t') || rest.starts_with(kArrow));
}

bool EndsWithEscapedBreak(std::string_view text) {
  return text.ends_with("\\n") || text.ends_with("\\r");
}

// Whether a byte may stand between the beginning of a line and its base64: `    12\t`, `> `.
bool IsLineMark(char c) {
  return IsSecretDigit(c) || static_cast<uint8_t>(c) >= 0x80 ||
         std::string_view(" \t>#+-|:").find(c) != std::string_view::npos;
}

// Returns where the body of a private key begins of which only the end is there: `before` is the
// text before its END line. The body consists of lines of base64, of which all but the first and
// the last are equally long. npos if there is none.
size_t BeginOfTornPem(std::string_view before) {
  constexpr size_t kLeastLine = 40;
  constexpr size_t kMostMark = 12;
  size_t begin = before.npos;
  size_t length = 0;  // of the lines before the last
  size_t characters = 0;
  size_t tail = before.size();
  while (tail > 0 && before.size() - tail < kMostMark && IsLineMark(before[tail - 1])) --tail;
  for (size_t end = tail; end > 0;) {
    size_t last = end;
    while (last > 0 && end - last < 2 * kMostMark) {
      const bool escaped = EndsWithEscapedBreak(before.substr(0, last));
      if (!escaped && std::string_view(" \t\r\n\"'\\").find(before[last - 1]) == before.npos) break;
      last -= escaped ? 2 : 1;
    }
    size_t run = last;
    while (run > 0 && IsPemByte(before[run - 1])) --run;
    if (run < last && EndsWithEscapedBreak(before.substr(0, run + 1))) ++run;
    const size_t size = last - run;
    const bool is_last = begin == before.npos;
    if (size == 0 || (length > 0 && size != length) || (!is_last && size < kLeastLine)) break;
    if (!is_last) length = size;
    characters += size;
    begin = run;
    end = run;
    while (end > 0 && run - end < kMostMark && IsLineMark(before[end - 1])) --end;
    const std::string_view rest = before.substr(0, end);
    if (!rest.ends_with('\n') && !rest.ends_with('"') && !EndsWithEscapedBreak(rest)) break;
  }
  if (characters < kLeastPemCharacters) return before.npos;
  return DistinctBytes(before.substr(begin)) < kLeastDistinctCharacters ? before.npos : begin;
}

// Returns where the body of a private key ends that has no END line; 0 if it is too short. The body
// consists of lines of base64, of which only the last may be shorter, with the white space, quotes
// and escapes that programs write between them.
size_t EndOfCutPem(std::string_view body) {
  constexpr size_t kLeastLine = 40;
  size_t end = 0;
  size_t characters = 0;
  size_t line = 0;  // the length of the first line
  for (size_t at = 0; at < body.size();) {
    if (!IsPemByte(body[at])) {
      if (body.substr(at).starts_with(kArrow)) {
        at += kArrow.size();
        continue;
      }
      if (std::string_view(" \t\r\n\\\"'+,:->#").find(body[at]) == std::string_view::npos) break;
      const bool escape =
          body[at] == '\\' && at + 1 < body.size() && (body[at + 1] == 'n' || body[at + 1] == 'r');
      at += escape ? 2 : 1;
      continue;
    }
    size_t run = at;
    while (run < body.size() && IsPemByte(body[run])) ++run;
    const std::string_view text = body.substr(at, run - at);
    if (IsLineNumber(text, body.substr(run))) {
      at = run;
      continue;
    }
    if (text.find_first_not_of('+') == text.npos) {  // of `"..." + "..."`
      at = run;
      continue;
    }
    if (line > 0 && text.size() < line) {
      const bool word =
          std::none_of(text.begin(), text.end(), IsSecretDigit) && Randomness(text) < 0.25;
      if (!word) end = run;
      break;
    }
    if (text.size() >= kLeastLine) {
      if (line == 0) line = text.size();
      characters += text.size();
      end = run;
    }
    at = run;
  }
  const bool varied = DistinctBytes(body.substr(0, end)) >= kLeastDistinctCharacters;
  return characters < kLeastPemCharacters || !varied ? 0 : end;
}

uint32_t LoadAnchor(const char* at) {
  uint32_t value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

size_t PairAt(const char* at) {
  return static_cast<size_t>(static_cast<uint8_t>(at[0])) << 8 | static_cast<uint8_t>(at[1]);
}

// A hash of four bytes excludes most places where only a pair of bytes fits an anchor.
constexpr size_t kAnchorHashes = 1 << 14;
size_t HashOfAnchor(uint32_t bytes) { return bytes * 0x9E3779B1u >> 18; }

class FormatScanner final {
 public:
  FormatScanner() {
    for (const SecretFormat& format : SecretFormats()) {
      patterns_.push_back(std::make_unique<LazyPattern>(format.pattern));
      for (const std::string_view anchor : format.anchors) {
        hashes_.set(HashOfAnchor(LoadAnchor(anchor.data())));
        anchors_.push_back({LoadAnchor(anchor.data()), &format, patterns_.back().get()});
        for (size_t pair = 0; pair < kPairsOfAnchor; ++pair) {
          uint8_t& places = places_[PairAt(anchor.data() + pair)];
          places = static_cast<uint8_t>(places | 1 << pair);
        }
      }
    }
    std::stable_sort(anchors_.begin(), anchors_.end(),
                     [](const Anchor& a, const Anchor& b) { return a.bytes < b.bytes; });
  }

  std::vector<SecretSpan> Scan(std::string_view text, FormatScope scope) const {
    std::vector<SecretSpan> secrets;
    size_t begin_after = 0;  // the end of the last secret
    for (size_t pair = 0; pair + 1 < text.size(); pair += kPairsOfAnchor) {
      const unsigned places = places_[PairAt(text.data() + pair)];
      if (places == 0) continue;
      // From the anchor that ends first to the one that begins here.
      for (size_t before = kPairsOfAnchor; before-- > 0;) {
        if ((places >> before & 1) == 0 || before > pair) continue;
        const size_t at = pair - before;
        if (at + kAnchorBytes > text.size()) break;
        const auto secret = SecretAt(text, at, begin_after, scope);
        if (!secret) continue;
        secrets.push_back(*secret);
        begin_after = secret->end;
      }
    }
    return secrets;
  }

 private:
  struct Anchor {
    uint32_t bytes;
    const SecretFormat* format;
    LazyPattern* pattern;
  };

  std::optional<SecretSpan> SecretAt(std::string_view text, size_t at, size_t begin_after,
                                     FormatScope scope) const {
    const uint32_t bytes = LoadAnchor(text.data() + at);
    if (!hashes_.test(HashOfAnchor(bytes))) return std::nullopt;
    auto anchor = std::lower_bound(anchors_.begin(), anchors_.end(), bytes,
                                   [](const Anchor& a, uint32_t b) { return a.bytes < b; });
    for (; anchor != anchors_.end() && anchor->bytes == bytes; ++anchor) {
      const size_t offset = anchor->format->anchor_offset;
      if (at < begin_after + offset) continue;
      if (scope == FormatScope::kWarned && !anchor->format->warns) continue;
      if (const auto secret = Match(text, at - offset, *anchor, begin_after)) return secret;
    }
    return std::nullopt;
  }

  static std::optional<SecretSpan> Match(std::string_view text, size_t begin, const Anchor& anchor,
                                         size_t begin_after) {
    if (!MayBeginSecret(text, begin)) return std::nullopt;
    re2::StringPiece found;
    if (!anchor.pattern->get().Match(re2::StringPiece(text.data(), text.size()), begin, text.size(),
                                     RE2::ANCHOR_START, &found, 1)) {
      return std::nullopt;
    }
    size_t end = begin + found.size();
    if (anchor.format->kind == kPrivateKeyKind) {
      const bool is_end = text.substr(begin).starts_with("-----END");
      return is_end ? MatchPemEnd(text, begin, end, begin_after) : MatchPem(text, begin, end);
    }
    // The pattern may contain the character after the secret.
    if (anchor.format->pattern.ends_with("])") && !IsWordByte(text[end - 1]) &&
        text[end - 1] != '-') {
      --end;
    }
    const std::string_view secret = text.substr(begin, end - begin);
    if (IsPublishedExample(secret)) return std::nullopt;
    if (DistinctBytes(secret.substr(kAnchorBytes)) < kLeastDistinctCharacters) {
      return std::nullopt;
    }
    return SecretSpan{begin, end, anchor.format->kind};
  }

  // `head_end`: the end of the line `-----BEGIN ...-----`. In JSON, all lines of a key are one.
  static std::optional<SecretSpan> MatchPem(std::string_view text, size_t begin, size_t head_end) {
    const std::string_view rest = text.substr(head_end, kMostPemBytes);
    const size_t tail = std::min(rest.find("-----END "), rest.find("-----BEGIN "));
    if (tail == rest.npos || rest.substr(tail).starts_with("-----BEGIN ")) {
      const size_t end = EndOfCutPem(rest.substr(0, tail));
      if (end == 0) return std::nullopt;
      return SecretSpan{begin, head_end + end, kPrivateKeyKind};
    }
    const std::string_view body = rest.substr(0, tail);
    const auto characters = static_cast<size_t>(
        std::count_if(body.begin(), body.end(), [](char c) { return IsPemByte(c) && c != '='; }));
    if (characters < kLeastPemCharacters || DistinctBytes(body) < kLeastDistinctCharacters) {
      return std::nullopt;
    }
    const size_t line_end = rest.find("-----", tail + 9);
    const size_t end = line_end == rest.npos ? tail + 9 : line_end + 5;
    return SecretSpan{begin, head_end + end, kPrivateKeyKind};
  }

  // [end_line, end): the line `-----END ...-----` of a key of which the beginning is not there.
  static std::optional<SecretSpan> MatchPemEnd(std::string_view text, size_t end_line, size_t end,
                                               size_t begin_after) {
    const size_t from = std::max(begin_after, end_line - std::min(end_line, kMostPemBytes));
    const size_t begin = BeginOfTornPem(text.substr(from, end_line - from));
    if (begin == text.npos) return std::nullopt;
    return SecretSpan{from + begin, end, kPrivateKeyKind};
  }

  // By pair: bit i is set if a pair is the one at byte i of an anchor.
  std::array<uint8_t, 1 << 16> places_{};
  std::bitset<kAnchorHashes> hashes_;
  std::vector<std::unique_ptr<LazyPattern>> patterns_;
  std::vector<Anchor> anchors_;  // by their bytes
};

}  // namespace

std::vector<SecretSpan> FindFormats(std::string_view text, FormatScope scope) {
  static const FormatScanner* const scanner = new FormatScanner;
  return scanner->Scan(text, scope);
}

std::vector<SecretSpan> FindSecrets(std::string_view text) {
  return FindFormats(text, FormatScope::kWarned);
}

std::string RedactSecrets(std::string_view text, const std::vector<SecretSpan>& secrets) {
  std::string redacted;
  redacted.reserve(text.size());
  size_t at = 0;
  for (const SecretSpan& secret : secrets) {
    redacted += text.substr(at, secret.begin - at);
    redacted += kSecretMarker;
    redacted += secret.kind;
    redacted += ']';
    const std::string_view lines = text.substr(secret.begin, secret.end - secret.begin);
    redacted.append(static_cast<size_t>(std::count(lines.begin(), lines.end(), '\n')), '\n');
    at = secret.end;
  }
  redacted += text.substr(at);
  return redacted;
}

}  // namespace recall

#include "index/secrets/secret_scan.h"

#include <re2/re2.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <memory>
#include <optional>

namespace recall {
namespace {

// The problem: hundreds of megabytes of text contain a few keys or none, and looking for them must
// not slow an ingest.
//
//   text --every third pair of bytes--> places of anchors --regular expression--> secrets
//
// Each format has an anchor: four bytes that occur in each of its keys at a fixed place. An anchor
// consists of three overlapping pairs of bytes, and wherever it stands, one of them begins at a
// multiple of three. So only these pairs are looked up, in a table of all pairs of all anchors.
// Unlike a table of skips, no look-up waits for the one before it. The anchors are those with rare
// pairs. Only places of anchors are compared with the regular expression of their format.
//
// False alarms teach users to ignore warnings. Therefore a format is listed only if its keys say
// what they are. The match must not continue a word, and its characters must vary: `ghp_xxxx...` is
// a placeholder. A few published examples are known by name.

struct SecretFormat {
  std::string_view kind;
  std::string_view pattern;               // of the whole secret
  size_t anchor_offset;                   // of the anchors in it
  std::vector<std::string_view> anchors;  // of four bytes
};

constexpr size_t kAnchorBytes = 4;
constexpr size_t kPairsOfAnchor = 3;
constexpr std::string_view kPrivateKey = "private-key";
// A longer private key is not recognised; one of 16,384 bits has 12 KiB.
constexpr size_t kMostPemBytes = 32 << 10;
constexpr int kLeastPemCharacters = 64;
constexpr int kLeastDistinctCharacters = 8;

const std::vector<SecretFormat>& SecretFormats() {
  static const std::vector<SecretFormat> formats = {
      {"aws-access-key-id",
       "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\\b",
       0,
       {"AKIA", "ASIA", "ABIA", "ACCA"}},
      {"github-token", "gh[pousr]_[A-Za-z0-9]{36}\\b", 0, {"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}},
      {"github-token", "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\\b", 3, {"hub_"}},
      {"gitlab-token", "glpat-[A-Za-z0-9_-]{20,}", 0, {"glpa"}},
      {"slack-token",
       "xox[abeoprs]-(?:[0-9]-)?[0-9]{9,13}-[A-Za-z0-9-]{20,}",
       0,
       {"xoxa", "xoxb", "xoxe", "xoxo", "xoxp", "xoxr", "xoxs"}},
      {"stripe-key", "[sr]k_live_[A-Za-z0-9]{24,}", 0, {"sk_l", "rk_l"}},
      {"google-api-key", "AIza[A-Za-z0-9_-]{35}(?:$|[^A-Za-z0-9_-])", 0, {"AIza"}},
      {"google-oauth-secret", "GOCSPX-[A-Za-z0-9_-]{28}(?:$|[^A-Za-z0-9_-])", 0, {"GOCS"}},
      {"npm-token", "npm_[A-Za-z0-9]{36}\\b", 0, {"npm_"}},
      {"pypi-token", "pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}", 5, {"AgEI"}},
      {"digitalocean-token", "do[opr]_v1_[a-f0-9]{64}\\b", 2, {"o_v1", "p_v1", "r_v1"}},
      {"anthropic-key", "sk-ant-[a-z0-9]{3,10}-[A-Za-z0-9_-]{40,}", 0, {"sk-a"}},
      {"openai-key", "sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}", 0, {"sk-p", "sk-s", "sk-a"}},
      {"openai-key", "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\\b", 23, {"T3Bl"}},
      {"json-web-token",
       "eyJ[A-Za-z0-9_-]{15,}\\.eyJ[A-Za-z0-9_-]{15,}\\.[A-Za-z0-9_-]{20,}",
       0,
       {"eyJh", "eyJ0", "eyJr", "eyJl", "eyJj", "eyJ4", "eyJq"}},
      {kPrivateKey, "-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----", 4, {"-BEG"}},
  };
  return formats;
}

// Keys that documentation publishes: Amazon's, and the token of the page that explains JSON web
// tokens.
bool IsPublishedExample(std::string_view secret) {
  return secret.ends_with("EXAMPLE") ||
         secret.find("eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l") != secret.npos;
}

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

int DistinctCharacters(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<uint8_t>(c));
  return static_cast<int>(seen.count());
}

uint32_t LoadAnchor(const char* at) {
  uint32_t value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

size_t PairAt(const char* at) {
  return static_cast<size_t>(static_cast<uint8_t>(at[0])) << 8 | static_cast<uint8_t>(at[1]);
}

// Most pairs of anchors do not belong to one.
constexpr size_t kAnchorHashes = 1 << 13;
size_t HashOfAnchor(uint32_t bytes) { return bytes * 0x9E3779B1u >> 19; }

class SecretScanner final {
 public:
  SecretScanner() {
    for (const SecretFormat& format : SecretFormats()) {
      RE2::Options options(RE2::Quiet);
      options.set_encoding(RE2::Options::EncodingLatin1);
      const auto pattern = std::make_shared<const RE2>(
          re2::StringPiece(format.pattern.data(), format.pattern.size()), options);
      for (const std::string_view anchor : format.anchors) {
        hashes_.set(HashOfAnchor(LoadAnchor(anchor.data())));
        anchors_.push_back({LoadAnchor(anchor.data()), &format, pattern});
        for (size_t pair = 0; pair < kPairsOfAnchor; ++pair) {
          pairs_.set(PairAt(anchor.data() + pair));
        }
      }
    }
  }

  std::vector<SecretSpan> Scan(std::string_view text) const {
    std::vector<SecretSpan> secrets;
    size_t begin_after = 0;  // the end of the last secret
    for (size_t pair = 0; pair + 1 < text.size(); pair += kPairsOfAnchor) {
      if (!pairs_.test(PairAt(text.data() + pair))) continue;
      for (size_t at = pair - std::min(pair, kPairsOfAnchor - 1); at <= pair; ++at) {
        if (at + kAnchorBytes > text.size()) break;
        const auto secret = SecretAt(text, at, begin_after);
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
    std::shared_ptr<const RE2> pattern;
  };

  std::optional<SecretSpan> SecretAt(std::string_view text, size_t at, size_t begin_after) const {
    const uint32_t bytes = LoadAnchor(text.data() + at);
    if (!hashes_.test(HashOfAnchor(bytes))) return std::nullopt;
    for (const Anchor& anchor : anchors_) {
      const size_t offset = anchor.format->anchor_offset;
      if (anchor.bytes != bytes || at < begin_after + offset) continue;
      if (const auto secret = Match(text, at - offset, anchor)) return secret;
    }
    return std::nullopt;
  }

  static std::optional<SecretSpan> Match(std::string_view text, size_t begin,
                                         const Anchor& anchor) {
    if (begin > 0 && (IsWordByte(text[begin - 1]) || text[begin - 1] == '-')) return std::nullopt;
    re2::StringPiece found;
    if (!anchor.pattern->Match(re2::StringPiece(text.data(), text.size()), begin, text.size(),
                               RE2::ANCHOR_START, &found, 1)) {
      return std::nullopt;
    }
    size_t end = begin + found.size();
    if (anchor.format->kind == kPrivateKey) return MatchPem(text, begin, end);
    // The pattern may contain the character after the secret.
    if (!IsWordByte(text[end - 1]) && text[end - 1] != '-') --end;
    const std::string_view secret = text.substr(begin, end - begin);
    if (IsPublishedExample(secret)) return std::nullopt;
    if (DistinctCharacters(secret.substr(kAnchorBytes)) < kLeastDistinctCharacters) {
      return std::nullopt;
    }
    return SecretSpan{begin, end, anchor.format->kind};
  }

  // `head_end`: the end of the line `-----BEGIN ...-----`. In JSON, all lines of a key are one.
  static std::optional<SecretSpan> MatchPem(std::string_view text, size_t begin, size_t head_end) {
    const std::string_view rest = text.substr(head_end, kMostPemBytes);
    const size_t tail = rest.find("-----END ");
    if (tail == rest.npos) return std::nullopt;
    const std::string_view body = rest.substr(0, tail);
    const auto characters = std::count_if(body.begin(), body.end(), [](char c) {
      return (IsWordByte(c) && c != '_') || c == '+' || c == '/';
    });
    if (characters < kLeastPemCharacters || DistinctCharacters(body) < kLeastDistinctCharacters) {
      return std::nullopt;
    }
    const size_t line_end = rest.find("-----", tail + 9);
    const size_t end = line_end == rest.npos ? tail + 9 : line_end + 5;
    return SecretSpan{begin, head_end + end, kPrivateKey};
  }

  std::bitset<1 << 16> pairs_;
  std::bitset<kAnchorHashes> hashes_;
  std::vector<Anchor> anchors_;
};

}  // namespace

std::vector<SecretSpan> FindSecrets(std::string_view text) {
  static const SecretScanner* const scanner = new SecretScanner;
  return scanner->Scan(text);
}

std::string RedactSecrets(std::string_view text, const std::vector<SecretSpan>& secrets) {
  std::string redacted;
  redacted.reserve(text.size());
  size_t at = 0;
  for (const SecretSpan& secret : secrets) {
    redacted += text.substr(at, secret.begin - at);
    redacted += "[redacted: ";
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

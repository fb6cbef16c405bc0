#include "index/source/secrets/secret_judge.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "index/base/math/natural_log.h"
#include "index/source/secrets/published_examples.h"
#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

// Told apart are keys, made by a generator, and what else stands behind names such as `token`:
// names, paths, versions, calls, words, references. Entropy alone does not do it: an identifier of
// 20 letters has as much as a hexadecimal key. Therefore a value must also be random: its
// neighbouring characters must not be those of words (Randomness).

constexpr size_t kMostSecretBytes = 4096;

// Words after the keyword, of which one says that the value is not the secret itself.
constexpr std::string_view kHarmlessTails[] = {
    "file",      "path",       "dir",      "directory",   "folder",    "name",        "names",
    "type",      "types",      "id",       "ids",         "url",       "uri",         "urls",
    "endpoint",  "host",       "count",    "counts",      "length",    "len",         "size",
    "limit",     "limits",     "max",      "min",         "ttl",       "expiry",      "expires",
    "expire",    "expiration", "exp",      "age",         "timeout",   "version",     "ref",
    "reference", "format",     "field",    "fields",      "prefix",    "suffix",      "index",
    "alias",     "arn",        "policy",   "hint",        "regex",     "regexp",      "pattern",
    "label",     "header",     "headers",  "env",         "var",       "variable",    "usage",
    "used",      "status",     "state",    "kind",        "class",     "provider",    "service",
    "manager",   "store",      "storage",  "handler",     "input",     "placeholder", "message",
    "error",     "errors",     "required", "enabled",     "disabled",  "valid",       "created",
    "updated",   "at",         "date",     "time",        "algorithm", "alg",         "cost",
    "price",     "budget",     "position", "offset",      "start",     "end",         "line",
    "column",    "pair",       "ring",     "store",       "chain",     "map",         "list",
    "set",       "stream",     "parser",   "iterator",    "scanner",   "spacing",     "sha",
    "sha1",      "sha256",     "sha512",   "md5",         "checksum",  "digest",      "fingerprint",
    "commit",    "integrity",  "resolved", "thumbprint",  "selector",  "schema",      "color",
    "image",     "doc",        "docs",     "description", "title",     "text",        "module",
    "package",   "test",       "tests",    "request",     "response",  "scope",       "scopes",
    "issuer",    "audience",   "source",   "target",      "event",     "rule",        "rules",
    "region",    "zone",       "project",  "user",        "username",  "email",       "address",
    "domain",    "port",       "mode",     "level",       "role"};

// Words before the keyword that say the same.
constexpr std::string_view kHarmlessHeads[] = {
    "public",       "pub",      "next",        "previous",   "prev",      "page",
    "continuation", "foreign",  "primary",     "sort",       "cache",     "partition",
    "hash",         "range",    "idempotency", "cursor",     "sync",      "design",
    "syntax",       "lex",      "lexer",       "parse",      "keyboard",  "translation",
    "i18n",         "locale",   "row",         "group",      "object",    "unique",
    "composite",    "lookup",   "shortcut",    "hot",        "max",       "min",
    "num",          "total",    "input",       "output",     "prompt",    "completion",
    "special",      "eos",      "bos",         "pad",        "unk",       "cancel",
    "cancellation", "route",    "sha",         "sha1",       "sha256",    "sha512",
    "md5",          "checksum", "digest",      "commit",     "integrity", "no",
    "without",      "missing",  "invalid",     "unexpected", "expected",  "fingerprint",
    "verification", "host",     "known",       "recv",       "gpg",       "pgp",
    "fips",         "trusted",  "keyserver"};

// Words before `key` that make it a credential.
constexpr std::string_view kKeyHeads[] = {
    "api",       "access",       "secret",      "private",     "auth",          "account",
    "shared",    "encryption",   "encrypt",     "signing",     "sign",          "master",
    "client",    "service",      "app",         "application", "license",       "session",
    "webhook",   "subscription", "admin",       "deploy",      "consumer",      "jwt",
    "hmac",      "crypto",       "cipher",      "ssh",         "root",          "write",
    "read",      "server",       "integration", "ingest",      "authorization", "bot",
    "aes",       "security",     "management",  "live",        "test",          "personal",
    "developer", "dev",          "prod",        "production",  "staging",       "x"};

constexpr std::string_view kFileEndings[] = {
    ".json", ".pem",  ".key", ".txt",  ".yaml", ".yml", ".js",  ".ts",  ".py",   ".go",
    ".rs",   ".rb",   ".php", ".html", ".css",  ".md",  ".sh",  ".env", ".toml", ".conf",
    ".cfg",  ".crt",  ".cer", ".p12",  ".pfx",  ".jks", ".pub", ".xml", ".ini",  ".c",
    ".h",    ".cc",   ".cpp", ".java", ".so",   ".svg", ".png", ".gpg", ".asc",  ".csv",
    ".log",  ".lock", ".com", ".org",  ".net",  ".io"};

constexpr std::string_view kPlaceholderParts[] = {
    "example",  "placeholder", "your-",     "your_",       "yourkey",    "yourtoken", "yoursecret",
    "yourapi",  "changeme",    "change-me", "change_me",   "replace",    "redacted",  "dummy",
    "sample",   "foobar",      "xxxx",      "****",        "....",       "____",      "----",
    "insert",   "123456789",   "abcdefgh",  "0123456",     "7654321",    "<",         "${",
    "{{",       "%{",          "$(",        "#{",          "://",        "0000000",   "1111111",
    "aaaaaaa",  "notreal",     "not-real",  "fake",        "undefined",  "password",  "passwd",
    "deadbeef", "qwerty",      "lorem",     "process.env", "os.environ", "getenv",    "secrets.",
    "[a-z",     "[0-9",        "0-9]",      "a-z]",        "a-z0",       "system.get"};

constexpr std::string_view kHashPrefixes[] = {
    "sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha384:", "sha512:", "md5:",
    "md5-",  "data:",   "urn:",    "h1:",     "sha1=", "sha256=", "sha384=", "sha512=", "md5="};

// Words that stand where a password does in examples.
constexpr std::string_view kUsualPasswords[] = {
    "pass",  "secret",   "user",     "username", "admin",   "root",   "test",
    "guest", "postgres", "mysql",    "pwd",      "pw",      "null",   "none",
    "nil",   "true",     "false",    "string",   "token",   "apikey", "api_key",
    "key",   "login",    "passw0rd", "p@ssw0rd", "p@ssword"};

template <size_t kCount>
bool IsOneOf(std::string_view word, const std::string_view (&words)[kCount]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// The words of a name in lower case: "apiKey_V2" is api, key, v2.
std::vector<std::string> WordsOfName(std::string_view name) {
  std::vector<std::string> words;
  bool begins = true;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!IsSecretAlnum(c)) {
      begins = true;
      continue;
    }
    const bool hump = IsSecretUpper(c) && i > 0 && IsSecretLower(name[i - 1]);
    const bool after_capitals = i + 1 < name.size() && i > 0 && IsSecretUpper(c) &&
                                IsSecretUpper(name[i - 1]) && IsSecretLower(name[i + 1]);
    if (begins || hump || after_capitals) words.emplace_back();
    words.back() += SecretLowered(c);
    begins = false;
  }
  return words;
}

template <size_t kCount>
bool HasWordOf(std::string_view name, const std::string_view (&words)[kCount]) {
  const std::vector<std::string> in_name = WordsOfName(name);
  return std::any_of(in_name.begin(), in_name.end(),
                     [&](const std::string& word) { return IsOneOf(word, words); });
}

bool EndsLikeFile(std::string_view lowered) {
  return std::any_of(std::begin(kFileEndings), std::end(kFileEndings),
                     [&](std::string_view ending) { return lowered.ends_with(ending); });
}

struct ByteKinds {
  size_t lower = 0;
  size_t upper = 0;
  size_t digits = 0;
  size_t hex = 0;
  size_t symbols = 0;  // neither letters, digits nor characters of names and paths
  size_t spaces = 0;   // and control characters
  size_t other = 0;    // no ASCII
};

ByteKinds KindsOf(std::string_view value) {
  ByteKinds kinds;
  for (const char c : value) {
    const auto byte = static_cast<uint8_t>(c);
    kinds.hex += IsSecretHex(c);
    if (IsSecretLower(c)) {
      ++kinds.lower;
    } else if (IsSecretUpper(c)) {
      ++kinds.upper;
    } else if (IsSecretDigit(c)) {
      ++kinds.digits;
    } else if (byte <= 0x20 || byte == 0x7F) {
      ++kinds.spaces;
    } else if (byte >= 0x80) {
      ++kinds.other;
    } else if (std::string_view("._-/\\:,+=").find(c) == std::string_view::npos) {
      ++kinds.symbols;
    }
  }
  return kinds;
}

double BitsOf(size_t count) { return NaturalLog(static_cast<double>(count)) * 1.4426950408889634; }

// The entropy that a value of this length has at least: 3.4 bits, and less if it is short.
bool HasEntropy(std::string_view value, double most, double short_by) {
  return EntropyOf(value) >= std::min(most, BitsOf(value.size()) - short_by);
}

// A call or an access: `get(x)`, `a.b.c`, `x[0]`.
bool IsCode(std::string_view value) {
  const size_t bracket = value.find_first_of("([{");
  if (bracket == value.npos) return false;
  return bracket == 0 || Randomness(value.substr(0, bracket)) < 0.3 || value.back() == ')' ||
         value.back() == '(';
}

bool IsPath(std::string_view value) {
  const bool begins = value.starts_with("/") || value.starts_with("./") ||
                      value.starts_with("../") || value.starts_with("~/") ||
                      value.starts_with("@/");
  const bool key_size = value.size() == 40 || value.size() == 44 || value.size() == 88;
  return begins && !key_size && Randomness(value) < 0.45;
}

bool IsEmail(std::string_view value) {
  const size_t at = value.find('@');
  return at != value.npos && at > 0 && value.find('.', at) != value.npos &&
         value.find_first_of("!#$%^&*()=", 0) == value.npos && Randomness(value) < 0.3;
}

bool IsHexValue(std::string_view value, const ByteKinds& kinds) {
  return kinds.hex == value.size() || (value.starts_with("0x") && kinds.hex + 1 == value.size());
}

// Words with digits: `sha256sum`, `us-east-1`.
bool IsRandomEnough(std::string_view value, const ByteKinds& kinds, bool strict) {
  const double random = Randomness(value);
  const size_t size = value.size();
  if (!strict && kinds.symbols > 1 && size >= 12 && random >= 0.3) return true;
  if (kinds.digits == 0) {
    const bool both_cases = kinds.lower > 0 && kinds.upper > 0;
    if (both_cases && size >= 12 && (size >= 16 || !strict) && random >= 0.45) return true;
    return size >= 20 && !strict && random >= (both_cases ? 0.33 : 0.36);
  }
  if (strict) return random >= 0.32;
  if (kinds.symbols > 1 && size >= 12) return random >= 0.15;
  return random >= (size < 20 ? 0.3 : 0.27);
}

bool IsKeyValue(std::string_view value, const ByteKinds& kinds, bool strict) {
  const size_t size = value.size();
  if (kinds.spaces + kinds.other > 0 || kinds.lower + kinds.upper == 0) return false;
  if (value.find('\\') != value.npos) return false;
  if (IsUuid(value)) return false;
  if (IsHexValue(value, kinds)) {
    return size >= (strict ? 30u : 16u) && kinds.digits > 0 && HasEntropy(value, 2.9, 1.5);
  }
  if (size < (strict ? 16u : 12u)) return false;
  if (kinds.digits * 10 > size * 9) return false;  // a number with a unit, a date
  // A generator makes keys. Passwords are typed, and are not judged by this.
  if (kinds.upper == 0 && LooksTyped(value)) return false;
  return HasEntropy(value, strict ? 3.5 : 3.4, size < 16 ? 0.3 : 1.3) &&
         IsRandomEnough(value, kinds, strict);
}

bool IsPasswordValue(std::string_view value, const ByteKinds& kinds, bool strict) {
  const size_t size = value.size();
  if (kinds.spaces > 0 || size < 8 || size > 256) return false;
  if (IsUuid(value) || IsEmail(value)) return false;
  const size_t letters = kinds.lower + kinds.upper;
  if (letters == 0) return false;
  if (IsHexValue(value, kinds) && size >= 12) return kinds.digits > 0 && DistinctBytes(value) > 5;
  if (kinds.other == 0 && kinds.symbols > 0 && kinds.digits > 0 && !strict) {
    return HasEntropy(value, 3.0, 1.0);
  }
  if (kinds.symbols > 1 && !strict) return HasEntropy(value, 3.2, 1.0) && Randomness(value) >= 0.25;
  if (kinds.digits == 0) {
    if (IsKeyValue(value, kinds, strict)) return true;
    const double least = kinds.lower > 0 && kinds.upper > 0 ? 0.36 : 0.5;
    return size >= 10 && !strict && kinds.symbols == 0 && kinds.other == 0 &&
           Randomness(value) >= least;
  }
  return HasEntropy(value, 3.0, 1.3) && Randomness(value) >= (strict ? 0.36 : 0.27);
}

}  // namespace

bool MayNameSecret(std::string_view name) {
  const std::vector<std::string> words = WordsOfName(name);
  return words.empty() || !IsOneOf(words.back(), kHarmlessTails);
}

SecretFamily FamilyOfName(std::string_view name, size_t begin, size_t end, SecretFamily family) {
  if (end < name.size() && IsSecretLetter(name[end])) {
    const bool hump = IsSecretUpper(name[end]) && IsSecretLower(name[end - 1]);
    const bool plural = SecretLowered(name[end]) == 's' &&
                        (end + 1 == name.size() || !IsSecretLetter(name[end + 1]));
    if (!hump && !plural) return SecretFamily::kNone;
    if (plural) family = SecretFamily::kWeak;
  }
  if (EndsLikeFile(SecretLowered(name))) return SecretFamily::kNone;
  const std::string_view word = name.substr(begin, end - begin);
  const std::string_view head = name.substr(0, begin);
  if (HasWordOf(name.substr(end), kHarmlessTails)) return SecretFamily::kNone;
  if (HasWordOf(head, kHarmlessHeads)) return SecretFamily::kNone;
  const std::string lowered = SecretLowered(word);
  // Short words: not within others, as in `monkey` and `bypass`.
  if (lowered == "key" || lowered == "pass" || lowered == "pwd" || lowered == "auth" ||
      lowered == "cred" || lowered == "creds") {
    const bool starts = begin == 0 || !IsSecretLetter(name[begin - 1]) ||
                        (IsSecretUpper(name[begin]) && IsSecretLower(name[begin - 1]));
    const bool database = lowered != "key" && SecretLowered(head).ends_with("db");
    if (!starts && !database) return SecretFamily::kNone;
  }
  if (lowered == "key") {
    const std::vector<std::string> words = WordsOfName(head);
    if (words.empty()) return SecretFamily::kNone;
    return IsOneOf(words.back(), kKeyHeads) ? SecretFamily::kKey : SecretFamily::kWeak;
  }
  return family;
}

bool IsUuid(std::string_view value) {
  if (value.size() != 36) return false;
  for (size_t i = 0; i < value.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? value[i] != '-' : !IsSecretHex(value[i])) return false;
  }
  return true;
}

bool IsPlaceholder(std::string_view value) {
  if (value.empty()) return true;
  const char first = value.front();
  if (first == '<' || first == '{' || first == '[' || value.starts_with("**")) return true;
  if (first == '$' && value.size() > 1 && !IsSecretDigit(value[1])) {
    // `$HOME`, but not `$x9!k`.
    const std::string_view rest = value.substr(1);
    const bool reference = std::all_of(rest.begin(), rest.end(), [](char c) {
      return IsSecretAlnum(c) ||
             std::string_view("_.-:>{}()[]'\"").find(c) != std::string_view::npos;
    });
    if (reference) return true;
  }
  if (first == '%' && value.size() > 1 && value.back() == '%') return true;
  const std::string lowered = SecretLowered(value);
  for (const std::string_view prefix : kHashPrefixes) {
    if (lowered.starts_with(prefix)) return true;
  }
  if (EndsLikeFile(lowered) && Randomness(value) < 0.35) return true;
  for (const std::string_view part : kPlaceholderParts) {
    const size_t at = lowered.find(part);
    if (at == lowered.npos) continue;
    // A short word may be in a random text.
    const bool word = part.size() < 7 && std::all_of(part.begin(), part.end(), IsSecretLetter);
    if (!word || part.front() == part.back() || at == 0 || !IsSecretAlnum(lowered[at - 1]))
      return true;
  }
  return IsOneOf(lowered, kUsualPasswords);
}

bool IsSecretValue(std::string_view value, SecretFamily family, SecretEvidence evidence) {
  if (family == SecretFamily::kNone || value.size() < 8 || value.size() > kMostSecretBytes) {
    return false;
  }
  const ByteKinds kinds = KindsOf(value);
  if (IsPlaceholder(value) || IsPath(value) || IsCode(value)) return false;
  if (IsPublishedExample(value)) return false;
  const bool strict = evidence == SecretEvidence::kMentioned || family == SecretFamily::kWeak;
  if (family == SecretFamily::kPassword) return IsPasswordValue(value, kinds, strict);
  if (family == SecretFamily::kWeak && value.size() < 20) return false;
  return IsKeyValue(value, kinds, strict);
}

bool IsPersonsPassword(std::string_view name, std::string_view value, SecretFamily family,
                       SecretEvidence evidence) {
  if (family != SecretFamily::kPassword || evidence != SecretEvidence::kAssigned) return false;
  const bool exact =
      std::none_of(name.begin(), name.end(), IsSecretLower) &&
      (name.ends_with("PASSWORD") || name.ends_with("PASSWD") || name.ends_with("PASSPHRASE"));
  if (!exact || value.size() < 8 || value.size() > 64 || IsPlaceholder(value)) return false;
  const ByteKinds kinds = KindsOf(value);
  return kinds.lower > 0 && kinds.upper > 0 && kinds.digits > 0 && kinds.spaces == 0 &&
         value.find_first_of("/\\()[]{}<>") == value.npos;
}

}  // namespace recall

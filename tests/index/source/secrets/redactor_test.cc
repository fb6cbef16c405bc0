#include "index/source/secrets/redactor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/index/source/secrets/made_up_secrets.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

const Redactor& BuiltInRedactor() {
  static const Redactor* const redactor = new Redactor(Redactor::Make({}).value());
  return *redactor;
}

std::string ReplacedAll(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::string InBase64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string base64;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    bits = bits << 8 | static_cast<uint8_t>(c);
    for (count += 8; count >= 6;) base64 += kDigits[bits >> (count -= 6) & 63];
  }
  if (count > 0) base64 += kDigits[bits << (6 - count) & 63];
  while (base64.size() % 4 != 0) base64 += '=';
  return base64;
}

std::string Escaped(std::string_view text, const char* format) {
  std::string escaped;
  for (const char c : text) {
    char byte[16];
    std::snprintf(byte, sizeof(byte), format, static_cast<int>(c));
    escaped += byte;
  }
  return escaped;
}

// Where secrets with a format of their own stand. `@`: the secret.
constexpr std::string_view kPlaces[] = {
    "@",
    "@ x",
    "x @",
    "export X=@\n",
    "\"@\"",
    "{\\\"a\\\": \\\"@\\\"}",
    "\"a\\n@\\nb\"",
    "\\u0022@\\u0022",
    "https://h/?access_token=@&x=1",
    "q%3D@%26",
    "Authorization: Bearer @\r\n",
    "curl -H \"Authorization: Bearer @\" h",
    "https://u:@@github.com/x",
    "令牌@，好",
    "(@)",
    "a,@,b",
    "/home/x/@/y",
    "k: @\n",
    "x:@",
    "--foo=@ z",
    "a\t@\tb",
    "\x1b[32m@\x1b[0m",
    "the key @.",
    "`@`",
    "<b>@</b>",
    "a;@;b",
    "my_@",
};

// Where secrets stand behind a name, `#`.
constexpr std::string_view kNamedPlaces[] = {
    "export #=@\n",
    "export #=\"@\"\n",
    "a: b\n#: @\nc: d\n",
    "  #: '@'\n",
    R"({"a":1,"#":"@"})",
    R"({"text":"{\"#\": \"@\"}"})",
    "# = \"@\"\n",
    "#=@",
    "# = @\r\n",
    "const # = '@';",
    "'#' => '@',",
    "tool --#=@ x",
    "tool --# @ x",
    "tool --# '@' x",
    "#: @\r\n",
    "curl -H '#: @' https://x",
    "<#>@</#>",
    R"(<add key="#" value="@"/>)",
    "- name: #\n  value: @\n",
    R"({"name":"#","value":"@"})",
    R"(os.environ["#"] = "@")",
    R"({"cmd":"cd x\nexport #=@\nls"})",
    R"({"cmd":"export #=\"@\"\nls"})",
    R"("{\"t\":\"export #=\\\"@\\\"\\n\"}")",
    "密码#=@。",
    "#：@",
    "const #: string = \"@\";",
    "docker run -e #=@ img",
    "**#**: `@`",
    "https://h/p?a=1&#=@&z=2",
    "Server=x;#=@;Timeout=3",
    "# := \"@\"",
    "{#: \"@\", b: 1}",
    "let #: &str = \"@\";",
    "#=SecretStr(\"@\")",
    "#: |\n    @\n",
};

constexpr std::string_view kUrlPlaces[] = {
    "#@@h/db",
    "URL=#@@db.example.com:5432/x\n",
    "{\"url\": \"#@@h:1/\"}",
    "url: #@@h",
    "connect('#@@h')",
    "\"a\\n#@@h\\nb\"",
};

// The texts of a place, with the secret in them.
std::string TextOf(std::string_view place, std::string_view name, const std::string& secret) {
  std::string text = ReplacedAll(std::string(place), "@@", "\x01\x02");
  text = ReplacedAll(std::move(text), "@", "\x01");
  text = ReplacedAll(std::move(text), "#", name);
  text = ReplacedAll(std::move(text), "\x02", "@");
  return ReplacedAll(std::move(text), "\x01", secret);
}

struct Tally {
  int64_t asked = 0;
  int64_t found = 0;
};

TEST(Redactor, FindsSecretsOfEachKindInEachPlace) {
  std::mt19937_64 random(TestSeed(7));
  const Redactor& redactor = BuiltInRedactor();
  std::map<std::string, Tally> tallies;
  for (const SecretShape& shape : SecretShapes()) {
    std::string_view name = shape.name;
    const bool url = name.ends_with("@");
    if (url) name.remove_suffix(1);
    const std::span<const std::string_view> places =
        url ? std::span<const std::string_view>(kUrlPlaces)
        : name.empty() || name.starts_with("http")
            ? std::span<const std::string_view>(kPlaces)
            : std::span<const std::string_view>(kNamedPlaces);
    for (int round = 0; round < 200; ++round) {
      const std::string secret = MakeUpSecret(shape.shape, random);
      const std::string_view place =
          name.starts_with("http") ? std::string_view("#=@&x=1") : places[random() % places.size()];
      const std::string text = TextOf(place, name, secret);
      std::map<std::string, int64_t> counts;
      const bool as_json = random() % 2 == 0;
      const std::string line = nlohmann::json{{"message", {{"content", text}}}}.dump();
      const std::string redacted =
          as_json ? redactor.RedactJsonLine(line, &counts) : redactor.Redact(text, &counts);
      Tally& tally = tallies[std::string(shape.kind)];
      ++tally.asked;
      if (redacted.find(secret) != redacted.npos) continue;
      ++tally.found;
      EXPECT_TRUE(counts.contains(std::string(shape.kind)))
          << shape.kind << " in " << text << ": " << redacted;
      EXPECT_EQ(redacted.find(secret.substr(secret.size() / 2)), redacted.npos) << redacted;
      EXPECT_EQ(std::count(redacted.begin(), redacted.end(), '\n'),
                as_json ? 0 : std::count(text.begin(), text.end(), '\n'));
      if (as_json) {
        EXPECT_TRUE(nlohmann::json::accept(redacted)) << redacted;
      }
      // Again: nothing changes.
      EXPECT_EQ(
          as_json ? redactor.RedactJsonLine(redacted, nullptr) : redactor.Redact(redacted, nullptr),
          redacted);
    }
  }
  EXPECT_GE(tallies.size(), 90u);
  Tally all;
  // A random password of twelve letters may look like a word.
  for (const auto& [kind, tally] : tallies) {
    EXPECT_GE(tally.found * 100, tally.asked * 95) << kind << ": " << tally.found;
    all.asked += tally.asked;
    all.found += tally.found;
  }
  EXPECT_GE(all.found * 1000, all.asked * 997) << all.found << " of " << all.asked;
}

TEST(Redactor, PrivateKeysInAnyNotation) {
  std::mt19937_64 random(TestSeed(9));
  const Redactor& redactor = BuiltInRedactor();
  for (const std::string_view type : {"RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", ""}) {
    for (const std::string_view line : {"\n", "\r\n", "\\n", "\\\\n", "\n    ", "\\n\" +\n  \""}) {
      for (const bool cut : {false, true}) {
        const std::string body = MakeUpSecret("{664}", random);
        const std::string last = MakeUpSecret("{650}==", random);
        std::string text = "key: '-----BEGIN " + std::string(type) + "PRIVATE" + " KEY-----";
        text += std::string(line) + body + std::string(line) + last;
        if (!cut) text += std::string(line) + "-----END " + std::string(type) + "PRIVATE KEY-----";
        text += "'\nnext: line\n";
        const std::string redacted = redactor.Redact(text, nullptr);
        EXPECT_EQ(redacted.find(body.substr(20, 20)), redacted.npos) << redacted;
        EXPECT_EQ(redacted.find(last.substr(0, 20)), redacted.npos) << redacted;
        EXPECT_TRUE(redacted.ends_with("next: line\n")) << redacted;
        EXPECT_EQ(std::count(redacted.begin(), redacted.end(), '\n'),
                  std::count(text.begin(), text.end(), '\n'));
      }
    }
  }
  const std::string putty =
      "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: k\n"
      "Private-Lines: 1\n" +
      MakeUpSecret("{664}", random) + "\nPrivate-MAC: " + MakeUpSecret("{H64}", random) + "\n";
  EXPECT_EQ(redactor.Redact(putty, nullptr), "[redacted: private-key]\n\n\n\n\n\n");
}

TEST(Redactor, PasswordsOfCommands) {
  std::mt19937_64 random(TestSeed(10));
  for (const std::string_view command :
       {"mysql -u root -p@ db", "curl -u admin:@ https://h", "curl --user 'admin:@' h",
        "sshpass -p @ ssh h", "sshpass -p '@' ssh h", "docker login -u me -p @ r.io",
        "redis-cli -h h -a @ ping", "tool --password=@ x", "tool --password @ x",
        "tool --db-password '@'", "openssl rsa -passin pass:@ -in k", "PGPASSWORD=@ psql",
        "machine h login me password @", "CREATE USER a IDENTIFIED BY '@';",
        "wget --http-user=a --http-password=@ u"}) {
    int redacted = 0;
    for (int round = 0; round < 50; ++round) {
      const std::string secret = MakeUpSecret("{W3}{D2}{W4}{D2}{W4}", random);
      const std::string text = ReplacedAll(std::string(command), "@", secret);
      const std::string found = BuiltInRedactor().Redact(text, nullptr);
      redacted += found == ReplacedAll(std::string(command), "@", "[redacted: password]");
    }
    EXPECT_GE(redacted, 47) << command << ": few have too few different characters";
  }
}

TEST(Redactor, WhatIsNoSecretStays) {
  for (const std::string_view text : {
           "password = os.environ['DB_PASSWORD']",
           "password: ${DB_PASSWORD}",
           "export TOKEN=$(cat token.txt)",
           "api_key = settings.get_api_key(user_id)",
           "token = request.headers.get('Authorization')",
           "const token = await getAccessTokenSilently2();",
           "\"password\": \"<your password>\"",
           "api_key: YOUR_API_KEY_GOES_HERE_1234",
           "password=********",
           "secretName: my-app-database-credentials-v2",
           "key: 0f8fad5b-d9cb-469f-a165-70867728950e",
           "token: 0f8fad5b-d9cb-469f-a165-70867728950e",
           "\"integrity\": \"sha512-oRDMyAZ2tKlY7aNzTwSbIvW0dSsHwQ5NMf4mKjz2Ub8jXxvTj8R3==\"",
           "checksum = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
           "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
           "max_tokens: 4096, model: gpt-4-turbo-2024-04-09",
           "https://user:password@example.com/",
           "https://example.com:8080/a@b",
           "tokenizer = \"cl100k_base_v2_2023_11_05\"",
           "private_key_path = /etc/ssl/private/server_2024.key",
           "public_key = \"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE4f5wg2l2hKsTeNem\"",
           "nextPageToken: \"CAUQAA3mK9xZ2pLq7\"",
           "docker run -u 1000:1000 image",
           "mkdir -p /srv/data2/cache && ssh -p 2222 host",
           "The password is stored in the keychain2.",
           "Bearer authentication uses the token endpoint",
           "see `Basic Operations for Tables`, or Authorization: Basic Operations",
           "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC "
           "KEY-----",
           "[redacted: github-token]=[redacted: password]",
           "secret_key_base: <%= ENV['SECRET_KEY_BASE'] %>",
           "password: {{ vault_db_password_2024 }}",
           "the PMKSA is identified by %NL80211_ATTR_PMKID.",
           "    SECKEYEncryptedPrivateKeyInfo *pkcs8ShroudedKeyBag;",
           "if (is_success(getprint(\"http://www.sn.no/\"))) {",
           "const token = props.token || 'anonymous-visitor-2';",
           "password = [[string.rep('x', 12)]]",
           "The password was rotated. New value: see the vault page",
           "aaa authentication login default group tacacs+ secret 0 local",
       }) {
    EXPECT_EQ(BuiltInRedactor().Redact(text, nullptr), text);
  }
}

// Documentation has keys that a hand made by running over the keyboard: these are no secrets.
TEST(Redactor, KeysThatWereTypedStay) {
  for (const std::string_view value :
       {"asdkjfh2345lkjsdf", "qwerasdf1234zxcv", "jklsdf8934jkhsdf", "lkjhasdf987sdfkjh",
        "zxcvasdf4321qwer", "asdlkj1234poiuqw", "45ghiukldjahdnhzdauz", "sdfjkl23w45kjlsdf"}) {
    const std::string text = "client_secret = '" + std::string(value) + "'";
    EXPECT_EQ(BuiltInRedactor().Redact(text, nullptr), text);
  }
  // A password may be typed so.
  EXPECT_EQ(BuiltInRedactor().Redact("password=asdkjfh2345lkjsdf", nullptr),
            "password=[redacted: password]");
  std::mt19937_64 random(TestSeed(20));
  int found = 0;
  constexpr int kTypedRounds = 2000;
  for (int round = 0; round < kTypedRounds; ++round) {
    const std::string secret = MakeUpSecret("{l24}", random);
    found += BuiltInRedactor().Redact("client_secret=" + secret, nullptr).find(secret) ==
             std::string::npos;
  }
  EXPECT_GE(found * 1000, kTypedRounds * 990) << "keys of lower-case letters and digits";
}

// `PASS` is a password in a session of FTP, and a result in a log of tests.
TEST(Redactor, ResultsOfTestsStay) {
  for (const std::string_view text :
       {"PASS: vers26b1x2\nPASS: vers27c1q9\n", "FAIL: ld-elf/x\nPASS: gdb.mi/gdb2549.exp: step\n",
        "PASS: gdb.dwarf2/dw2-icc-opaque.exp: p 1\r\nXFAIL: b\r\n",
        "  12\tPASS: tst-mq9zk4\n  13\tUNSUPPORTED: tst-b\n",
        "--- PASS: TestKx9Zq4Header (0.00s)\n"}) {
    EXPECT_EQ(BuiltInRedactor().Redact(text, nullptr), text);
  }
  std::mt19937_64 random(TestSeed(21));
  const std::string secret = MakeUpSecret("{W16}", random);
  for (const std::string_view form :
       {"USER: bob\nPASS: {S}\nHOST: h\n", "PASS={S}\nFAIL: x\n", "PASS: {S}\nERROR: login\n",
        "FAIL: login\nPASS {S}\n", "ADMIN_PASS: {S}\nPASS: a\n"}) {
    std::string text(form);
    text.replace(text.find("{S}"), 3, secret);
    EXPECT_EQ(BuiltInRedactor().Redact(text, nullptr).find(secret), std::string::npos) << text;
  }
}

// The examples of the standards stand in many packages.
TEST(Redactor, PublishedExamplesStay) {
  for (const std::string_view text :
       {"\"access_token\":\"2YotnFZFEjr1zCsicMWpAA\",",
        "\"refresh_token\":\"tGzv3JOkF0XG5Qx2TlKWIA\",",
        "Authorization: Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW",
        "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "oauth_token=\"ad180jjd733klru7\"",
        "oauth_consumer_key=\"dpf43f3p2l4k3l03\", oauth_token=\"nnch734d00sl2jdk\"",
        "code_verifier_token=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzb21lIjoicGF5bG9hZCJ9."
        "4twFt5NiznN84AWoo1d7KO1T_yoc0Z6XOpOVswacPZg"}) {
    EXPECT_EQ(BuiltInRedactor().Redact(text, nullptr), text);
  }
}

// The sources and pages of this project contain no secret.
TEST(Redactor, FindsNothingInTheSourcesOfThisProject) {
  int64_t bytes = 0;
  for (const char* folder : {"docs", "cli", "query", "storage", "bench"}) {
    const std::filesystem::path root = std::filesystem::path(SourceDir()) / folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << file.rdbuf();
      bytes += static_cast<int64_t>(text.str().size());
      const std::string text_of_file = text.str();
      for (const SecretSpan& secret : BuiltInRedactor().Find(text_of_file)) {
        ADD_FAILURE() << entry.path() << ": " << secret.kind << ": "
                      << text_of_file.substr(secret.begin, secret.end - secret.begin);
      }
    }
  }
  EXPECT_GT(bytes, 1'000'000);
}

// What tools write, made up: lock files, identifiers, hashes, base64.
TEST(Redactor, FindsNothingInHashesAndEncodedData) {
  std::mt19937_64 random(TestSeed(12));
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += MakeUpSecret(
        "\"resolved\": \"https://registry.npmjs.org/a/-/a-{D1}.tgz\",\n"
        "\"integrity\": \"sha512-{686}==\",\n"
        "commit {H40}\nindex {H7}..{H7}\nid: {uuid}\n"
        "github.com/a/b v1.{D2}.0 h1:{643}=\nchecksum = \"{H64}\"\n"
        "\"uuid\":\"{uuid}\",\"parentUuid\":\"{uuid}\",\"id\":\"toolu_{W24}\"\n"
        "{676}\n<img src=\"data:image/png;base64,{6400}\">\n",
        random);
  }
  // Some token with a short prefix may stand in random text by chance.
  EXPECT_LE(BuiltInRedactor().Find(text).size(), text.size() / 2'000'000);
}

TEST(Redactor, KeepsTheBytesOfJsonThatHasNoSecret) {
  for (const std::string_view line :
       {R"({"a" : 1.50, "b":"\u00e9\/", "a": [ "x", {} ] })", R"([1, "two"])", "{}", "no json: {",
        R"({"password": "", "token": null, "key": ["a", "b"]})"}) {
    std::map<std::string, int64_t> counts;
    EXPECT_EQ(BuiltInRedactor().RedactJsonLine(line, &counts), line);
    EXPECT_TRUE(counts.empty());
  }
}

// A machine that lost power leaves NULs at the end of a file.
TEST(Redactor, JsonWithBytesBehindItIsRedactedAsText) {
  std::mt19937_64 random(TestSeed(19));
  const std::string key = MakeUpSecret("ghp_{W36}", random);
  for (const std::string_view end : {"", "\"", "\"\\", "\"\x02\"", "[[{\"", "}"}) {
    const std::string line = "{\"a\": \"" + Escaped(key, "\\u%04x") + " " + key + "\"}" +
                             std::string(3, '\0') + std::string(end);
    EXPECT_EQ(BuiltInRedactor().RedactJsonLine(line, nullptr),
              "{\"a\": \"[redacted: github-token] [redacted: github-token]\"}" +
                  std::string(3, '\0') + std::string(end));
  }
}

TEST(Redactor, JudgesMembersOfJsonByTheirNames) {
  std::mt19937_64 random(TestSeed(13));
  const std::string secret = MakeUpSecret("{W32}", random);
  std::map<std::string, int64_t> counts;
  EXPECT_EQ(BuiltInRedactor().RedactJsonLine(
                R"({"n": 1.0, "password": ")" + secret + R"(", "x": "é"})", &counts),
            R"({"n": 1.0, "password": "[redacted: password]", "x": "é"})");
  EXPECT_EQ(counts["password"], 1);
  EXPECT_EQ(BuiltInRedactor().RedactJsonLine(
                R"([{"name": "API_KEY", "value": ")" + secret + R"("}])", nullptr),
            R"([{"name": "API_KEY", "value": "[redacted: generic-secret]"}])");
}

// A key stays a key in another writing.
TEST(Redactor, SecretsInBase64) {
  std::mt19937_64 random(TestSeed(15));
  for (int round = 0; round < 100; ++round) {
    const std::string key = MakeUpSecret("ghp_{W36}", random);
    for (const std::string& said : {key, "export GITHUB=" + key + "\n",
                                    "{\"auths\": {\"r\": {\"token\": \"" + key + "\"}}}"}) {
      const std::string base64 = InBase64(said);
      for (const std::string_view place : {"@", "k: @\n", "data:text/plain;base64,@",
                                           "\"a\": \"@\"", "echo @ | base64 -d", "x\\n@"}) {
        const std::string text = ReplacedAll(std::string(place), "@", base64);
        const std::string redacted = BuiltInRedactor().Redact(text, nullptr);
        EXPECT_EQ(redacted.find(base64.substr(0, base64.size() / 2)), redacted.npos) << redacted;
      }
      std::string lines =
          InBase64(std::string(60, '#') + "\n" + said + "\n" + std::string(60, '#'));
      for (size_t at = 76; at < lines.size(); at += 77) lines.insert(at, "\n");
      const std::string redacted = BuiltInRedactor().Redact("x:\n" + lines + "\n\nend", nullptr);
      EXPECT_EQ(std::count(redacted.begin(), redacted.end(), '\n'),
                std::count(lines.begin(), lines.end(), '\n') + 3);
      EXPECT_TRUE(redacted.starts_with("x:\n[redacted: ") && redacted.ends_with("\n\nend"))
          << redacted;
    }
  }
  const std::string hex = Escaped("token " + MakeUpSecret("ghp_{W36}", random), "%02x");
  EXPECT_EQ(BuiltInRedactor().Redact("xxd: " + hex + " .", nullptr),
            "xxd: [redacted: github-token] .");
  const std::string harmless = InBase64("const greeting = 'hello'; // nothing to see here");
  EXPECT_EQ(BuiltInRedactor().Redact(harmless, nullptr), harmless);
}

TEST(Redactor, SecretsInEscapes) {
  std::mt19937_64 random(TestSeed(16));
  for (int round = 0; round < 100; ++round) {
    const std::string key = MakeUpSecret("ghp_{W36}", random);
    for (const char* format : {"\\u%04x", "\\\\u%04X", "\\x%02x", "%%%02X"}) {
      const std::string all = Escaped(key, format);
      const std::string first = Escaped(key.substr(0, 1), format) + key.substr(1);
      for (const std::string& escaped : {all, first}) {
        const std::string redacted =
            BuiltInRedactor().Redact("\u00e9 a%20b \"" + escaped + "\" x%21", nullptr);
        EXPECT_EQ(redacted, "\u00e9 a%20b \"[redacted: github-token]\" x%21");
      }
    }
    const std::string password = MakeUpSecret("{W3}{D2}{W4}{D2}{W4}", random);
    const std::string url = "q=%7B%22password%22%3A%22" + password + "%22%7D";
    EXPECT_EQ(BuiltInRedactor().Redact(url, nullptr).find(password), url.npos) << url;
  }
  // A long text is decoded in parts.
  std::string text;
  std::vector<std::string> keys;
  while (text.size() < 2'300'000) {
    keys.push_back(Escaped(MakeUpSecret("ghp_{W36}", random), "\\u%04x"));
    text += keys.back() + "%20";
  }
  const std::string redacted = BuiltInRedactor().Redact(text, nullptr);
  for (const std::string& key : keys) ASSERT_EQ(redacted.find(key), redacted.npos);
  for (const std::string_view harmless :
       {"\\u0041\\u0042 %41%42 \\/ %zz \\u00", "%", "\\", "\\u00e9\\x", "a\\\\\\"}) {
    EXPECT_EQ(BuiltInRedactor().Redact(harmless, nullptr), harmless);
  }
}

// In patches and notebooks each line is an element of a list.
TEST(Redactor, PrivateKeysInListsOfLines) {
  std::mt19937_64 random(TestSeed(17));
  for (const std::string_view prefix : {"", "+", " ", "-"}) {
    const std::string p(prefix);
    const std::vector<std::string> body = {MakeUpSecret("{664}", random),
                                           MakeUpSecret("{664}", random),
                                           MakeUpSecret("{618}==", random)};
    nlohmann::json lines = {p + "a: 1", p + "-----BEGIN RSA PRIVATE" + " KEY-----"};
    for (const std::string& line : body) lines.push_back(p + line);
    lines.push_back(p + "-----END RSA PRIVATE KEY-----");
    lines.push_back(p + "next");
    const std::string json =
        nlohmann::json{{"patch", {{{"lines", lines}}}}, {"role", "user"}}.dump();
    const std::string redacted = BuiltInRedactor().RedactJsonLine(json, nullptr);
    for (const std::string& line : body) EXPECT_EQ(redacted.find(line), redacted.npos) << redacted;
    EXPECT_NE(redacted.find("next\""), redacted.npos);
    EXPECT_TRUE(redacted.ends_with("\"role\":\"user\"}")) << redacted;
    EXPECT_EQ(BuiltInRedactor().RedactJsonLine(redacted, nullptr), redacted);
  }
  const std::string_view mention = R"(["-----BEGIN PRIVATE KEY-----","user","assistant"])";
  EXPECT_EQ(BuiltInRedactor().RedactJsonLine(mention, nullptr), mention);
}

// The kind of what was replaced is no keyword of what follows.
TEST(Redactor, RedactingAgainChangesNothing) {
  std::mt19937_64 random(TestSeed(18));
  std::string text = MakeUpSecret("AKIA{u16}", random) + "\n";
  for (int i = 0; i < 100; ++i) text += "checksum " + MakeUpSecret("{W40}", random) + "\n";
  const std::string once = BuiltInRedactor().Redact(text, nullptr);
  EXPECT_NE(once, text);
  EXPECT_EQ(BuiltInRedactor().Redact(once, nullptr), once);
}

TEST(Redactor, OwnRulesAndWhatTheyAllow) {
  const SecretRule rule = {"acme", "ACME-([0-9]{6})", {"acme"}, 0};
  const SecretRule entropic = {"acme-random", "zz[0-9a-z]{8}", {}, 2.5};
  const std::vector<SecretRule> rules = {rule, entropic};
  const std::vector<std::string> allow = {"^123456$"};
  const auto redactor = Redactor::Make(rules, allow);
  ASSERT_TRUE(redactor);
  std::map<std::string, int64_t> counts;
  EXPECT_EQ(redactor->Redact("ACME-654321 ACME-123456 zzaaaaaaaa zz1b3d5f7h", &counts),
            "ACME-[redacted: acme] ACME-123456 zzaaaaaaaa [redacted: acme-random]");
  EXPECT_EQ(counts["acme"], 1);
  for (const SecretRule& bad : {SecretRule{"x", "(", {}, 0}, SecretRule{"", "a", {}, 0},
                                SecretRule{"a]b", "a", {}, 0}, SecretRule{"x", "a", {"ab"}, 0}}) {
    const auto failed = Redactor::Make(std::vector{bad});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code(), StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(Redactor::Make({}, std::vector<std::string>{"["}));
}

// Random bytes with parts of rules: nothing is read beyond the text, and redacting again changes
// nothing.
TEST(Redactor, AnyBytes) {
  std::mt19937_64 random(TestSeed(14));
  const std::vector<std::string> parts = {"password",
                                          "=",
                                          ": ",
                                          "\"",
                                          "\\",
                                          "\\n",
                                          "\n",
                                          "token",
                                          "://",
                                          "@",
                                          ":",
                                          "Bearer ",
                                          "AKIA",
                                          "-----BEGIN PRIVATE KEY-----",
                                          "-----END ",
                                          "gh"
                                          "p_",
                                          "[redacted: x]",
                                          "[redacted: ",
                                          "]",
                                          "-u ",
                                          "curl ",
                                          "value",
                                          "aws",
                                          "\xEF\xBC\x9A",
                                          "(",
                                          "'",
                                          "key",
                                          "sk-",
                                          "eyJ",
                                          ".",
                                          "{W16}",
                                          "{H32}",
                                          "{640}",
                                          "{P12}",
                                          "{uuid}",
                                          "|",
                                          ">",
                                          " is ",
                                          "--",
                                          "\\\"",
                                          "%3D",
                                          "\\u0022",
                                          "heroku"};
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t i = random() % 12; i-- > 0;)
      text += MakeUpSecret(parts[random() % parts.size()], random);
    if (random() % 4 == 0 && !text.empty())
      text[random() % text.size()] = static_cast<char>(random());
    const std::string once = BuiltInRedactor().Redact(text, nullptr);
    EXPECT_EQ(BuiltInRedactor().Redact(once, nullptr), once) << text;
    BuiltInRedactor().RedactJsonLine(text, nullptr);
  }
}

}  // namespace
}  // namespace recall

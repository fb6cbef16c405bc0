// What is shortened of a session must have lost its secrets before: half a secret is not
// recognised. Each form of a command has a secret at each place around the cut, with random
// characters of its own; nowhere may sixteen of them follow each other in what is stored.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "index/source/transcript/short_call.h"
#include "query/memory/sessions/session_documents.h"
#include "query/memory/sessions/transcript_reading.h"
#include "tests/index/source/secrets/made_up_secrets.h"
#include "tests/index/source/transcript/transcript_fixture.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr size_t kPlaces = 99;     // characters before the secret: 0 to 98
constexpr size_t kTellsMuch = 16;  // random characters in a row that are too many

std::string Base64Of(std::string_view text) {
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

// `{S}` stands for the secret: fixed characters, then `shape`.
struct CommandForm {
  std::string name;
  std::string command;
  std::string fixed;
  std::string shape;
};

const std::vector<CommandForm>& CommandForms() {
  const std::string begin = "-----BEGIN EC PRIVATE KEY-----";
  const std::string end = "-----END EC PRIVATE KEY-----";
  const std::string key = "MHcCAQEEI";
  const std::string jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ";
  const auto lines = [&](const std::string& mark, const std::string& between) {
    return mark + begin + between + mark + "{S}" + between + mark + "AwEHoUQDQgAE" + between +
           mark + end;
  };
  static const std::vector<CommandForm> forms = {
      {"clone of GitHub", "git clone https://x:{S}@github.com/x/y", "github_pat_", "{W82}"},
      {"quoted key", lines("> ", "\n"), key, "{651}"},
      {"commented key", lines("# ", "\n"), key, "{651}"},
      {"age", "echo {S} > k", "AGE-SECRET-KEY-1", "{u58}"},
      {"token of a URL", "git clone https://{S}@github.com/x/y", "", "{H40}"},
      {"password of a URL", "psql postgres://bob:{S}@db/x -c 'select 1'", "", "{W24}"},
      {"base64", "echo {S} | base64 -d", "", "base64"},
      {"echo -e", "echo -e \"" + begin + "\\n{S}\\nAwEHoUQDQgAE\\n" + end + "\" > k", key, "{651}"},
      {"printf", "printf '%s\\n' '" + begin + "' '{S}' 'AwEHoUQDQgAE' '" + end + "' > k", key,
       "{651}"},
      {"here-document", "cat > k.pem <<'E'\n" + lines("", "\n") + "\nE", key, "{651}"},
      {"diff", "git apply <<'E'\n+++ b/k.pem\n@@ -0,0 +1,4 @@\n" + lines("+", "\n") + "\nE", key,
       "{651}"},
      {"JWT", "jwt decode {S}", jwt, "{B60}.{B43}"},
      {"Anthropic", "llm keys set claude {S}", "sk-ant-api03-", "{B93}AA"},
      {"OpenAI", "llm keys set openai {S}", "sk-proj-", "{B74}T3BlbkFJ{B74}"},
      {"Slack webhook", "curl -d x https://hooks.slack.com/services/T0{u9}/B0{u9}/{S}", "",
       "{W24}"},
      {"AWS pair", "AWS_ACCESS_KEY_ID=AKIA{u16} AWS_SECRET_ACCESS_KEY={S} aws s3 ls", "", "{640}"},
      {"bearer", "curl -H 'Authorization: Bearer {S}' h", jwt, "{B60}.{B43}"},
      {"Stripe", "stripe balance --api-key {S}", "sk_live_", "{W24}"},
      {"Azure", "export AZURE_STORAGE_KEY={S}", "", "{686}=="},
      {"key in YAML", "cat > s.yml <<'E'\ntls:\n  key: |\n" + lines("    ", "\n") + "\nE", key,
       "{651}"},
  };
  return forms;
}

struct MadeUpCommand {
  std::string command;
  std::string random;  // the characters of the secret that are its own
};

MadeUpCommand MakeUpCommand(const CommandForm& form, size_t place, std::mt19937_64& random) {
  MadeUpCommand made;
  if (form.shape == "base64") {
    const std::string token = "ghp" + MakeUpSecret("_{W36}", random);
    const std::string base64 = Base64Of(token);
    made.command = form.command;
    made.command.replace(made.command.find("{S}"), 3, base64);
    made.random = base64.substr(6, 46);  // behind what all have in common
  } else {
    made.random = MakeUpSecret(form.shape, random);
    made.command = MakeUpSecret(form.command.substr(0, form.command.find("{S}")), random) +
                   form.fixed + made.random + form.command.substr(form.command.find("{S}") + 3);
  }
  // The words of a shell before it, cut to this length.
  std::string before;
  while (before.size() < place) before += "cd /srv/app && ";
  before.resize(place);
  if (!before.empty() && !before.ends_with(' ')) before.back() = ' ';
  const bool own_line = made.command.find('\n') != std::string::npos;
  if (own_line && !before.empty()) before.back() = '\n';
  made.command.insert(0, before);
  return made;
}

// Whether sixteen of the characters follow each other in the text.
bool Tells(const std::string& text, const std::string& random) {
  for (size_t at = 0; at + kTellsMuch <= random.size(); ++at) {
    if (text.find(random.substr(at, kTellsMuch)) != std::string::npos) return true;
  }
  return false;
}

class CutSecretsTest : public testing::Test {
 protected:
  // All that is stored of a transcript: documents, metadata, and the transcript itself.
  std::string StoredOf(const std::string& agent, const std::string& bytes) {
    const std::string path = dir_ / "t.jsonl";
    PutFile(path, bytes);
    const Redactor redactor = Redactor::Make({}).value();
    const ReadTranscriptSource read =
        ReadAndRedact({agent, path, static_cast<int64_t>(bytes.size()), 0},
                      {.redactor = &redactor, .keep_transcript = true});
    EXPECT_TRUE(read.status.ok()) << read.status.ToString();
    EXPECT_FALSE(read.sessions.empty());
    std::string stored;
    for (const ReadSession& session : read.sessions) {
      const SessionVersion version = UpdatedSession(
          {}, {.session = &session.session, .redacted = &session.redacted, .transcript = "t"});
      const ProvidedDocument document = SessionDocument("sessions/x/y", version);
      stored += document.text + **document.meta + "\n";
    }
    for (const auto& [kind, count] : read.unknown) stored += kind + "\n";
    return stored;
  }

  TempDir dir_;
};

// A command in the formats in which commands are written: an argument, a list, a script of Codex.
std::vector<nlohmann::json> LinesOf(const std::string& command, size_t place) {
  const nlohmann::json said = {{"session", "s"}, {"role", "assistant"}, {"text", "ok"}};
  std::vector<nlohmann::json> lines = {said};
  lines.push_back({{"session", "s"}, {"tool", "Bash"}, {"command", command}});
  lines.push_back({{"session", "s"}, {"tool", "shell"}, {"command", {"bash", "-lc", command}}});
  lines.push_back({{"session", "s"},
                   {"tool", "Read"},
                   {"path", std::string(4096 - std::min<size_t>(4096, place), 'p') + command}});
  return lines;
}

TEST_F(CutSecretsTest, NoCommandKeepsAPartOfASecret) {
  std::mt19937_64 random(1);
  for (const CommandForm& form : CommandForms()) {
    size_t told = 0;
    std::string example;
    for (size_t place = 0; place < kPlaces; ++place) {
      const MadeUpCommand made = MakeUpCommand(form, place, random);
      std::string bytes;
      for (const nlohmann::json& line : LinesOf(made.command, place)) bytes += line.dump() + "\n";
      const std::string stored = StoredOf("jsonl", bytes);
      if (!Tells(stored, made.random)) continue;
      if (told++ == 0) example = stored;
    }
    EXPECT_EQ(told, 0u) << form.name << ": " << told << " of " << kPlaces << " places\n" << example;
  }
}

// A title is the first line that a person said, cut between words.
TEST_F(CutSecretsTest, NoTitleKeepsAPartOfASecret) {
  std::mt19937_64 random(2);
  for (const CommandForm& form : CommandForms()) {
    for (size_t place = 0; place < kPlaces; ++place) {
      const MadeUpCommand made = MakeUpCommand(form, place, random);
      const nlohmann::json said = {{"session", "s"}, {"role", "human"}, {"text", made.command}};
      const std::string stored = StoredOf("jsonl", said.dump() + "\n");
      EXPECT_FALSE(Tells(stored, made.random))
          << form.name << " behind " << place << ": " << stored;
    }
  }
}

TEST(ShortCallTest, CutsACommandAtACharacterAndBehindAMark) {
  const auto shortened = [](const std::string& command) {
    const RedactedText none(nullptr, "", nullptr);
    return ShortCall(3, RedactedText(nullptr, "Bash", nullptr), none,
                     RedactedText(nullptr, command, nullptr));
  };
  EXPECT_EQ(shortened("\n make \\\n\ttest \n"), (ToolCall{3, "Bash", "", "make \\  test"}));
  std::string command(99, 'x');
  EXPECT_EQ(shortened(command + "\xF0\x9F\x98\x80yz").command, command + "\xF0\x9F\x98\x80");
  command += "[redacted: github-token]";
  EXPECT_EQ(shortened(command + " rest of it").command, command);
}

std::string InLowerCase(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

// What is made of a note: its id and its triggers are in lower case, its summary is cut.
class CutNoteTest : public QueryFixture {
 protected:
  // "-": it was not saved.
  std::string StoredOf(const NoteDraft& note, SecretPolicy secrets, SaveReport* report) {
    SaveRequest request;
    request.note = note;
    request.secrets = secrets;
    request.extract_triggers = true;
    auto saved = database_->Save(request);
    if (!saved) return "-";
    *report = *saved;
    auto found = database_->Get({.target = saved->doc.path});
    EXPECT_TRUE(found.has_value()) << found.error().ToString();
    return saved->doc.path + "\n" + (found ? found->chunk.text : "");
  }
};

TEST_F(CutNoteTest, NothingThatIsMadeOfANoteHasAPartOfASecret) {
  std::mt19937_64 random(3);
  const std::string shapes[] = {
      "ghp"
      "_{W36}",
      "AKIA{u16}", "glpat-{B20}"};
  for (const std::string& shape : shapes) {
    for (size_t place = 340; place < 410; place += 3) {
      const std::string key = MakeUpSecret(shape, random);
      const std::string tail = key.substr(key.size() - 16);
      NoteDraft note;
      note.type = "lesson";
      note.title = "Key " + key;
      note.text = "The new key is " + key + ".";
      note.summary = std::string(place - 1, 's') + " " + key + " is the key";
      SaveReport report;
      const std::string stored = StoredOf(note, SecretPolicy::kRedact, &report);
      for (size_t at = 0; at + 12 <= tail.size(); ++at) {
        ASSERT_EQ(InLowerCase(stored).find(InLowerCase(tail.substr(at, 12))), std::string::npos)
            << key << "\n"
            << stored;
      }
    }
  }
}

TEST_F(CutNoteTest, APolicyIsForTheWholeSummary) {
  std::mt19937_64 random(4);
  NoteDraft note;
  note.type = "lesson";
  note.title = "Key";
  note.summary = std::string(380, 's') + " " +
                 MakeUpSecret(
                     "ghp"
                     "_{W36}",
                     random) +
                 " is cut";
  SaveReport report;
  EXPECT_EQ(StoredOf(note, SecretPolicy::kSkip, &report), "-");
  for (const SecretPolicy policy : {SecretPolicy::kRedact, SecretPolicy::kWarn}) {
    EXPECT_NE(StoredOf(note, policy, &report), "-");
    EXPECT_TRUE(report.summary_cut);
    ASSERT_FALSE(report.warnings.empty());
    EXPECT_EQ(report.warnings[0], "the summary of the note contains a credential (github-token)");
  }
}

TEST(PathsOfHintsTest, HaveNoSecrets) {
  std::mt19937_64 random(TestSeed(31));
  const std::string secret = MakeUpSecret("ghp_{W36}", random);
  AgentSession session;
  session.hints = {{"docs/" + secret + ".md", true}, {"docs/plain.md", false}};
  std::map<std::string, int64_t> counts;
  const Redactor redactor = Redactor::Make({}).value();
  RedactAndShorten(&redactor, &session, &counts);
  ASSERT_EQ(session.hints.size(), 2u);
  EXPECT_EQ(session.hints.at("docs/plain.md"), false);
  for (const auto& [path, followed] : session.hints) {
    EXPECT_EQ(path.find(secret.substr(4)), std::string::npos) << path;
    EXPECT_EQ(followed, path != "docs/plain.md");
  }
}

}  // namespace
}  // namespace recall

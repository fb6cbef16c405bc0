// Redactor: whatever a text has, redacting it keeps its lines, and redacting it again changes
// nothing; JSON stays JSON. Input: a text. `@` in it stands for a key that must not be left.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/fuzz_target.h"
#include "index/source/secrets/redactor.h"

namespace recall {
namespace {

int64_t LinesIn(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

void CheckSpans(std::string_view text, const std::vector<SecretSpan>& secrets) {
  size_t end = 0;
  for (const SecretSpan& secret : secrets) {
    RECALL_CHECK(secret.begin >= end && secret.begin < secret.end && secret.end <= text.size());
    RECALL_CHECK(!secret.kind.empty());
    end = secret.end;
  }
}

}  // namespace

void FuzzOne(ByteSpan input) {
  static const Redactor redactor = Redactor::Make({}).value();
  const std::string key = "ghp_" + std::string("a8Kd93nFq2LsX7vZ0bTy5RmWc1HuJ4gPoE6i");
  std::string text;
  for (const char c : AsText(input)) {
    if (c == '@') {
      text += " " + key + " ";
    } else {
      text += c;
    }
  }
  CheckSpans(text, redactor.Find(text));
  const std::string once = redactor.Redact(text, nullptr);
  RECALL_CHECK(LinesIn(once) == LinesIn(text));
  RECALL_CHECK(once.find(key) == once.npos);
  RECALL_CHECK(redactor.Redact(once, nullptr) == once);
  const std::string line = redactor.RedactJsonLine(text, nullptr);
  RECALL_CHECK(line.find(key) == line.npos);
  const bool is_json = nlohmann::json::accept(text);
  if (is_json) RECALL_CHECK(nlohmann::json::accept(line));
  const std::string json = nlohmann::json{{"a", text}, {text, "b"}, {"c", {text, text}}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string redacted = redactor.RedactJsonLine(json, nullptr);
  RECALL_CHECK(nlohmann::json::accept(redacted) && redacted.find(key) == redacted.npos);
}

}  // namespace recall

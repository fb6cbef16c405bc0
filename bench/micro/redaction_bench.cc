// Looking for secrets in texts, and replacing them (docs/secrets.md). One thread.
// bench/secrets_quality.cc counts what is missed and what is found wrongly.

#include "bench/micro/made_text.h"
#include "bench/micro/micro.h"
#include "index/source/secrets/redactor.h"
#include "tests/index/source/secrets/made_up_secrets.h"

namespace recall {
namespace {

const Redactor& BuiltInRules() {
  static const Redactor redactor = Get(Redactor::Make({}));
  return redactor;
}

void FindInTexts(benchmark::State& state) {
  const std::vector<std::string>& texts = SampleTexts();
  const Redactor& rules = BuiltInRules();
  size_t found = 0;
  {
    const KernelCounts counts(state);
    for (auto _ : state) {
      found = 0;
      for (const std::string& text : texts) found += rules.Find(text).size();
    }
  }
  Check(!Options().file_roots.empty() || found == 0, "made-up words are taken for secrets");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(BytesOf(texts)));
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK(FindInTexts)->Name("redaction/find_in_texts")->Unit(benchmark::kMillisecond);

// A settings file with a secret of each kind, between lines without any.
struct Settings {
  std::string text;
  std::vector<std::string> secrets;
};

Settings MadeUpSettings() {
  std::mt19937_64 random(1);
  SplitMix64 words(2);
  Settings settings;
  for (const SecretShape& shape : SecretShapes()) {
    if (shape.name.ends_with("@")) continue;  // of addresses
    settings.secrets.push_back(MakeUpSecret(shape.shape, random));
    settings.text += "# " + MakeSentence(&words, 12) + "\nexport " +
                     std::string(shape.name.empty() ? "X" : shape.name) + "=" +
                     settings.secrets.back() + "\n";
  }
  return settings;
}

void RedactSettings(benchmark::State& state) {
  const Settings settings = MadeUpSettings();
  const Redactor& rules = BuiltInRules();
  std::string redacted;
  {
    const KernelCounts counts(state);
    for (auto _ : state) redacted = rules.Redact(settings.text, nullptr);
  }
  size_t left = 0;
  for (const std::string& secret : settings.secrets) left += redacted.find(secret) != redacted.npos;
  const auto asked = static_cast<double>(settings.secrets.size());
  state.counters["recall"] = 1 - static_cast<double>(left) / asked;
  Check(static_cast<double>(left) <= asked / 50, std::to_string(left) + " secrets are left");
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(settings.text.size()));
}
BENCHMARK(RedactSettings)->Name("redaction/redact_settings")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace recall

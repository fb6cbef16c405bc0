// Looks for secrets: how many of those that are there, and how many that are not, are found. Its
// speed is measured by the benchmarks redaction/ of recall_bench.
//
//   secrets_quality [--list] [DIRECTORY...]
//
// Prints, for each kind, how many of 200 made-up secrets are found in settings and in lines of
// JSON; the forms in which tools print secrets of which one is left somewhere; and for each
// directory the finds, by kind and per MB. In texts without secrets
// these are false. With `--list`, each find with its file.

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "bench/bench_util.h"
#include "index/source/secrets/redactor.h"
#include "tests/index/source/secrets/made_up_secrets.h"
#include "tests/index/source/secrets/printed_secrets.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFileBytes = 64 << 20;

Redactor BuiltIn() {
  auto redactor = Redactor::Make({});
  if (!redactor) Die(redactor.error().ToString());
  return *std::move(redactor);
}

void MeasureKinds(const Redactor& redactor) {
  struct Tally {
    int asked = 0;
    int found = 0;
  };
  constexpr int kRounds = 200;
  std::mt19937_64 random(1);
  std::map<std::string, Tally> tallies;
  Tally all;
  for (const SecretShape& shape : SecretShapes()) {
    for (int round = 0; round < kRounds; ++round) {
      const std::string secret = MakeUpSecret(shape.shape, random);
      std::string name(shape.name.empty() ? "X" : shape.name);
      const bool url = name.ends_with("@");
      if (url) name.pop_back();
      const std::string line = url ? "URL=" + name + secret + "@host/" : name + "=" + secret;
      const std::string text =
          round % 2 == 0 ? "export " + line + "\n" : "{\"text\": \"a\\nexport " + line + "\\nb\"}";
      const std::string redacted =
          round % 2 == 0 ? redactor.Redact(text, nullptr) : redactor.RedactJsonLine(text, nullptr);
      const int found = redacted.find(secret) == redacted.npos;
      for (Tally* tally : {&tallies[std::string(shape.kind)], &all}) {
        ++tally->asked;
        tally->found += found;
      }
    }
  }
  for (const auto& [kind, tally] : tallies) {
    std::printf("%-28s %5d of %5d\n", kind.c_str(), tally.found, tally.asked);
  }
  std::printf("%-28s %5d of %5d, %.2f %%\n\n", "all", all.found, all.asked,
              100.0 * all.found / all.asked);
}

// A form is left in a place if a part of more than half of eight secrets stays there.
void MeasurePrinted(const Redactor& redactor, const char* table,
                    std::span<const PrintedSecret> forms) {
  constexpr int kRounds = 8;
  std::mt19937_64 random(7);
  int left_forms = 0;
  for (const PrintedSecret& form : forms) {
    int left_places = 0;
    for (int place = 0; place < kPrintedPlaces; ++place) {
      int left = 0;
      for (int round = 0; round < kRounds; ++round) {
        const PrintedText made = MakeUpPrinted(form, place, random);
        const std::string redacted = place >= kFirstJsonPlace
                                         ? redactor.RedactJsonLine(made.text, nullptr)
                                         : redactor.Redact(made.text, nullptr);
        left += TellsSecret(redacted, made.secret);
      }
      left_places += 2 * left > kRounds;
    }
    left_forms += left_places > 0;
    if (left_places > 0) {
      std::printf("left in %d of %d places: %s\n", left_places, kPrintedPlaces,
                  std::string(form.name).c_str());
    }
  }
  std::printf("%s: %d of %zu printed forms are left somewhere\n\n", table, left_forms,
              forms.size());
}

void MeasureDirectory(const Redactor& redactor, const fs::path& root, bool list) {
  size_t bytes = 0;
  size_t finds = 0;
  std::map<std::string, size_t> kinds;
  const auto options = fs::directory_options::skip_permission_denied;
  for (const auto& entry : fs::recursive_directory_iterator(root, options)) {
    if (!entry.is_regular_file() || entry.is_symlink() || entry.file_size() > kMostFileBytes) {
      continue;
    }
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    const std::string text = std::move(content).str();
    if (text.find('\0') != text.npos) continue;
    const auto secrets = redactor.Find(text);
    bytes += text.size();
    finds += secrets.size();
    for (const SecretSpan& secret : secrets) {
      ++kinds[std::string(secret.kind)];
      if (list) {
        std::printf("%s: %s: %.80s\n", entry.path().c_str(), std::string(secret.kind).c_str(),
                    text.substr(secret.begin, secret.end - secret.begin).c_str());
      }
    }
  }
  const double megabytes = static_cast<double>(bytes) / 1e6;
  for (const auto& [kind, count] : kinds) std::printf("%-28s %5zu\n", kind.c_str(), count);
  std::printf("%s: %.1f MB, %zu finds, %.3f per MB\n", root.c_str(), megabytes, finds,
              static_cast<double>(finds) / megabytes);
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  const recall::Redactor redactor = recall::BuiltIn();
  recall::MeasureKinds(redactor);
  recall::MeasurePrinted(redactor, "first table", recall::PrintedSecrets());
  recall::MeasurePrinted(redactor, "known forms", recall::KnownForms());
  recall::MeasurePrinted(redactor, "forms apart", recall::FormsApart());
  recall::MeasurePrinted(redactor, "later forms", recall::LaterForms());
  recall::MeasurePrinted(redactor, "forms unseen", recall::FormsUnseen());
  bool list = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--list") {
      list = true;
    } else {
      recall::MeasureDirectory(redactor, argv[i], list);
    }
  }
}

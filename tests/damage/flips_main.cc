// Damage trials in any number, run by `./x flips`: prints each bad one, and a table. Exits with 1
// if a wrong answer is missed by the doctor, or a repair loses something.

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <optional>

#include "tests/damage/flip_table.h"
#include "tests/test_util.h"

namespace recall {
namespace {

struct Choice {
  FlipOptions flip;
  std::string store = "small";
  int64_t flips = 1000;
  uint64_t seed = 1;
  std::optional<uint64_t> only;
  bool all_lines = false;
};

// False if something is as it must not be.
bool RunStore(const FlipStore& store, const Choice& choice) {
  const TempDir directory;
  auto trials = FlipTrials::Make(store, directory.path(), choice.flip);
  if (!trials) {
    std::printf("%s: %s\n", store.name, trials.error().ToString().c_str());
    return false;
  }
  if (!trials->has_targets()) {
    std::printf("%s: there is no %s\n", store.name, choice.flip.aim.c_str());
    return true;
  }
  std::printf("%s: %s; %zu bytes\n", store.name, store.what, trials->bytes());
  FlipTable table;
  const uint64_t first = choice.only.value_or(choice.seed);
  const uint64_t end = choice.only ? first + 1 : first + static_cast<uint64_t>(choice.flips);
  for (uint64_t seed = first; seed < end; ++seed) {
    const FlipOutcome outcome = trials->Run(seed);
    table.Add(outcome);
    if (outcome.is_bad() || choice.all_lines || choice.only) {
      std::printf("%s %s\n", store.name, Describe(outcome).c_str());
    }
  }
  std::printf("%s\n", table.ToString().c_str());
  const FlipCounts& sum = table.sum();
  return sum.crashed + sum.missed + sum.overwrote() + sum.lossy() + sum.misleading() == 0;
}

}  // namespace
}  // namespace recall

int main(int count, char** arguments) {
  CLI::App app("Damage trials with Recall stores");
  recall::Choice choice;
  std::vector<std::string> names = {"all"};
  for (const recall::FlipStore& store : recall::AllFlipStores()) names.emplace_back(store.name);
  app.add_option("--store", choice.store)->check(CLI::IsMember(names));
  app.add_option("--flips", choice.flips, "trials with each store");
  app.add_option("--seed", choice.seed, "seed of the first trial; the next has the next one");
  app.add_option("--only", choice.only, "only the trial with this seed");
  app.add_option("--aim", choice.flip.aim,
                 "any, header, trailers, a table or an index, or PREFIX*; in `wal` always the WAL");
  std::map<std::string, recall::FlipKind> kinds = {{"bit", recall::FlipKind::kBit},
                                                   {"byte", recall::FlipKind::kByte},
                                                   {"sector", recall::FlipKind::kSector},
                                                   {"zeros", recall::FlipKind::kZeros}};
  app.add_option("--damage", choice.flip.kind, "bit, byte, sector or zeros")
      ->transform(CLI::CheckedTransformer(kinds));
  app.add_flag("--unsealed", choice.flip.unsealed, "pages without checksums");
  app.add_flag("--unverified", choice.flip.unverified, "questions do not compare checksums");
  app.add_flag("--print-all", choice.all_lines, "print each trial");
  CLI11_PARSE(app, count, arguments);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  recall::PutFilesInMemory();
  bool sound = true;
  for (const recall::FlipStore& store : recall::AllFlipStores()) {
    if (choice.store != "all" && choice.store != store.name) continue;
    sound = recall::RunStore(store, choice) && sound;
  }
  return sound ? 0 : 1;
}

// The long stress test, run by `./x stress`: prints its findings, and fails if they are wrong.

#include <sqlite3.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "tests/stress/crowd_stress.h"
#include "tests/stress/kill_stress.h"
#include "tests/stress/note_stress.h"
#include "tests/stress/repair_stress.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// Prints SQLite's messages about damage; otherwise only the error code would be known.
void TellErrors(void*, int code, const char* message) {
  const int primary = code & 0xff;
  if (primary != SQLITE_CORRUPT && primary != SQLITE_IOERR) return;
  std::fprintf(stderr, "sqlite, process %d: %s (%d)\n", ::getpid(), message, code);
}

// Keeps the directory of a store in which a fault was found.
void Keep(const TempDir& dir) {
  const std::string kept = dir.path() + ".kept";
  std::filesystem::rename(dir.path(), kept);
  std::printf("the store is kept: %s/recall.db\n", kept.c_str());
}

bool Kill(KillStressOptions options) {
  const TempDir dir;
  options.directory = dir.path();
  const KillStressReport report = RunKillStress(options);
  std::printf(
      "kill -9, %s, seed %llu: %lld kills, %lld steps (%lld in doubt were found done), %lld reads, "
      "%lld segments in place, %lld by copy, %lld pages compared: %s\n",
      options.journal.c_str(), static_cast<unsigned long long>(options.seed),
      static_cast<long long>(report.kills), static_cast<long long>(report.steps),
      static_cast<long long>(report.kills_inside), static_cast<long long>(report.reads),
      static_cast<long long>(report.mapped), static_cast<long long>(report.copied),
      static_cast<long long>(report.raw_pages),
      report.fault.empty() ? "no fault" : report.fault.c_str());
  if (!report.fault.empty()) Keep(dir);
  return report.fault.empty();
}

bool Notes(NoteStressOptions options) {
  const TempDir dir;
  options.directory = dir.path();
  const NoteStressReport report = RunNoteStress(options);
  std::printf(
      "writers of notes, seed %llu: %lld steps, %lld kills (%lld steps in doubt were found done), "
      "%lld older commits compared: %s\n",
      static_cast<unsigned long long>(options.seed), static_cast<long long>(report.steps),
      static_cast<long long>(report.kills), static_cast<long long>(report.kills_inside),
      static_cast<long long>(report.snapshots),
      report.fault.empty() ? "no fault" : report.fault.c_str());
  if (!report.fault.empty()) Keep(dir);
  return report.fault.empty();
}

bool Repair(RepairStressOptions options) {
  const TempDir dir;
  options.directory = dir.path();
  const RepairStressReport report = RunRepairStress(options);
  std::printf(
      "doctor --fix and backup, seed %llu, a store of %lld MB: %lld repairs killed, %lld finished, "
      "%lld backups killed, %lld finished: %s\n",
      static_cast<unsigned long long>(options.seed),
      static_cast<long long>(report.store_bytes / 1'000'000),
      static_cast<long long>(report.repairs_killed),
      static_cast<long long>(report.repairs_finished),
      static_cast<long long>(report.backups_killed),
      static_cast<long long>(report.backups_finished),
      report.fault.empty() ? "no fault" : report.fault.c_str());
  if (!report.fault.empty()) Keep(dir);
  return report.fault.empty();
}

bool Crowd(CrowdStressOptions options) {
  const TempDir dir;
  options.directory = dir.path();
  const CrowdStressReport report = RunCrowdStress(options);
  const bool slow = report.longest_read_ms > 1000 && options.journal == "WAL";
  std::printf(
      "%d writers, %d readers, %s: %lld steps, %lld reads; longest read %.0f ms, longest write "
      "%.0f ms: %s\n",
      options.writers, options.readers, options.journal.c_str(),
      static_cast<long long>(report.steps), static_cast<long long>(report.reads),
      report.longest_read_ms, report.longest_write_ms,
      !report.fault.empty() ? report.fault.c_str()
      : slow                ? "a reader waited for more than a second"
                            : "no fault");
  if (!report.fault.empty()) Keep(dir);
  return report.fault.empty() && !slow;
}

}  // namespace
}  // namespace recall

int main(int count, char** arguments) {
  CLI::App app("Stress of a Recall store");
  app.require_subcommand(1);
  recall::KillStressOptions kill;
  CLI::App* const kills = app.add_subcommand("kill", "kill writers");
  kills->add_option("--journal", kill.journal)->check(CLI::IsMember({"WAL", "DELETE"}));
  kills->add_option("--kills", kill.kills);
  kills->add_option("--readers", kill.readers);
  kills->add_option("--seed", kill.seed);
  recall::CrowdStressOptions crowd;
  CLI::App* const crowds = app.add_subcommand("crowd", "many writers and readers");
  crowds->add_option("--journal", crowd.journal)->check(CLI::IsMember({"WAL", "DELETE"}));
  crowds->add_option("--writers", crowd.writers);
  crowds->add_option("--readers", crowd.readers);
  crowds->add_option("--seconds", crowd.seconds);
  crowds->add_option("--seed", crowd.seed);
  recall::NoteStressOptions notes;
  CLI::App* const note_writers = app.add_subcommand("notes", "kill writers of notes");
  note_writers->add_option("--steps", notes.steps);
  note_writers->add_option("--seed", notes.seed);
  recall::RepairStressOptions repair;
  CLI::App* const repairs = app.add_subcommand("repair", "kill doctor --fix and backup");
  repairs->add_option("--store", repair.store, "a sound store; default: a small one");
  repairs->add_option("--kills", repair.kills, "of each command");
  repairs->add_option("--seed", repair.seed);
  CLI11_PARSE(app, count, arguments);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  sqlite3_config(SQLITE_CONFIG_LOG, &recall::TellErrors, nullptr);
  const bool sound = kills->parsed()          ? recall::Kill(kill)
                     : note_writers->parsed() ? recall::Notes(notes)
                     : repairs->parsed()      ? recall::Repair(repair)
                                              : recall::Crowd(crowd);
  return sound ? 0 : 1;
}

#include "tests/stress/repair_stress.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "query/database/database.h"
#include "storage/base/checksum.h"
#include "storage/base/clock.h"
#include "tests/fault/child_process.h"
#include "tests/fault/plain_sql.h"
#include "tests/stress/stress_board.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr int kSmallDocuments = 400;

// Statements that damage derived data, so that a repair has to rebuild much of it. The pages that
// they change receive valid checksums.
constexpr const char* kDerivedDamage[] = {
    "DELETE FROM lexicon_idx",
    "DELETE FROM lexicon_data WHERE id = (SELECT max(id) FROM lexicon_data)",
    "DELETE FROM vec_tail WHERE chunk % 3 = 0",
    "UPDATE chunk SET heading = heading || 'x' WHERE id % 5 = 0",
};
// Damages the text of a document, which cannot be rebuilt from other data.
constexpr const char* kPrimaryDamage = "UPDATE text_block SET data = substr(data, 2) WHERE id = 1";

Status Problem(const std::string& what) { return Status::Corruption(what); }

bool SameBytes(const std::string& left, const std::string& right) {
  std::ifstream a(left, std::ios::binary), b(right, std::ios::binary);
  std::vector<char> of_a(1 << 20), of_b(1 << 20);
  while (a && b) {
    a.read(of_a.data(), static_cast<std::streamsize>(of_a.size()));
    b.read(of_b.data(), static_cast<std::streamsize>(of_b.size()));
    if (a.gcount() != b.gcount() ||
        !std::equal(of_a.begin(), of_a.begin() + a.gcount(), of_b.begin())) {
      return false;
    }
  }
  return a.eof() && b.eof();
}

// A checksum of the store's export, which contains all primary data.
Result<uint32_t> ExportSum(const std::string& path) {
  OpenOptions options;
  options.read_only = true;
  RECALL_ASSIGN(const auto database, Database::Open(path, options));
  uint32_t sum = 0;
  RECALL_TRY(internal::ToStatus(database->Export({}, [&](std::string_view part) {
    sum = Crc32c({reinterpret_cast<const uint8_t*>(part.data()), part.size()}, sum);
    return Status::Ok();
  })));
  return sum;
}

// Errors: Corruption if the doctor finds an error that it does not repair.
Status Examine(const std::string& path, bool fix) {
  DoctorRequest request;
  request.path = path;
  request.fix = fix;
  RECALL_ASSIGN(const DoctorReport report, Database::Doctor(request));
  for (const DoctorFinding& finding : report.findings) {
    if (finding.severity == "error" && !finding.fixed) {
      return Problem((fix ? "the repair leaves " : "the doctor finds ") + finding.code);
    }
  }
  return Status::Ok();
}

class RepairStress {
 public:
  explicit RepairStress(const RepairStressOptions& options)
      : options_(options), random_(options.seed) {}

  RepairStressReport Run() {
    const ChildOutcome begun = RunInChild([&] { return Begin(); });
    if (begun.exit_code != 0) board_.Report("the preparation ended with " + Describe(begun));
    export_sum_ = begun.output;
    if (!board_.faulty()) report_.store_bytes = static_cast<int64_t>(fs::file_size(Sound()));
    MakeDamaged();
    const int64_t repair = Measure([&] { return Repair(); });
    while (!board_.faulty() && report_.repairs_killed < options_.kills) KillARepair(repair);
    MakeSound();
    const int64_t backup = Measure([&] { return Backup(Copy(), false); });
    while (!board_.faulty() && report_.backups_killed < options_.kills) KillABackup(backup);
    report_.fault = board_.fault();
    return report_;
  }

 private:
  std::string Sound() const {
    return options_.store.empty() ? options_.directory + "/sound.db" : options_.store;
  }
  std::string WorkDirectory() const { return options_.directory + "/work"; }
  std::string Store() const { return WorkDirectory() + "/recall.db"; }
  std::string Damaged() const { return options_.directory + "/damaged.db"; }
  std::string Copy() const { return WorkDirectory() + "/copy.db"; }

  // The parent must not use SQLite, because it cannot be used across a fork.
  void InChild(const std::function<Status()>& work) {
    StressProcess child([&] { Note(work()); });
    const std::string end = child.Wait();
    if (!end.empty()) board_.Report("a step ended with " + end);
  }

  void Note(const Status& status) {
    if (!status.ok()) board_.Report(status.ToString());
  }

  // How long the work takes if it is not killed, in microseconds.
  int64_t Measure(const std::function<Status()>& work) {
    const int64_t began = SteadyMicros();
    InChild(work);
    return SteadyMicros() - began;
  }

  // Runs the work, kills it, and returns whether it was still running.
  bool KillDuring(int64_t micros, const std::function<Status()>& work) {
    StressProcess child([&] { Note(work()); });
    ::usleep(static_cast<useconds_t>(random_() % static_cast<uint64_t>(micros + 1)));
    return child.Kill().empty();
  }

  // Returns the checksum of the sound store's export, as a number in decimal.
  std::string Begin() {
    Status prepared = options_.store.empty() ? MakeSmall() : Status::Ok();
    if (prepared.ok()) prepared = Examine(Sound(), false);
    Note(prepared);
    if (!prepared.ok()) return "";
    const auto sum = ExportSum(Sound());
    if (!sum) Note(sum.error());
    return sum ? std::to_string(*sum) : "";
  }

  Status MakeSmall() const {
    const std::string lines = options_.directory + "/lines.jsonl";
    std::ofstream out(lines, std::ios::binary);
    for (int i = 0; i < kSmallDocuments; ++i) {
      out << R"({"path": "docs/d)" << i << R"(.md", "text": "# Part )" << i % 9
          << R"(\n\nalpha memory word)" << i * 7919 % 601 << R"( vector", "meta": {"n": )" << i
          << "}}\n";
    }
    out.close();
    RECALL_TRY(internal::ToStatus(Database::Create(Sound(), {})));
    OpenOptions options;
    options.flush_vectors = 128;
    RECALL_ASSIGN(const auto database, Database::Open(Sound(), options));
    AddRequest request;
    request.jsonl = lines;
    return internal::ToStatus(database->Add(request));
  }

  void MakeSound() {
    fs::remove_all(WorkDirectory());
    fs::create_directory(WorkDirectory());
    if (!board_.faulty()) fs::copy_file(Sound(), Store());
  }

  // Single bits of some pages, derived data, or both are damaged.
  void MakeDamaged() {
    MakeSound();
    if (board_.faulty()) return;
    const uint64_t choice = random_();
    if (options_.beyond_repair) {
      InChild([&] { return ChangeRows(kPrimaryDamage); });
    } else if (choice % 3 != 0) {
      const char* const change = kDerivedDamage[choice / 3 % std::size(kDerivedDamage)];
      InChild([&] { return ChangeRows(change); });
    }
    if (choice % 3 != 1) ChangeBits(1 + choice / 64 % 5);
    fs::copy_file(Store(), Damaged(), fs::copy_options::overwrite_existing);
  }

  Status ChangeRows(const char* sql) const {
    RECALL_ASSIGN(PlainSql plain, PlainSql::OpenSealing(Store()));
    return plain.Run("PRAGMA journal_mode=DELETE; " + std::string(sql));
  }

  // At most one bit of a page; not of the first one, without which SQLite opens nothing.
  void ChangeBits(uint64_t count) {
    constexpr uint64_t kPage = 65536;
    std::fstream file(Store(), std::ios::binary | std::ios::in | std::ios::out);
    const uint64_t pages = fs::file_size(Store()) / kPage;
    for (uint64_t i = 0; i < count && i + 2 < pages; ++i) {
      const uint64_t first = 1 + (pages - 1) * i / count;
      const uint64_t end = 1 + (pages - 1) * (i + 1) / count;
      if (first >= end) continue;
      const uint64_t at = (first + random_() % (end - first)) * kPage + random_() % kPage;
      file.seekg(static_cast<std::streamoff>(at));
      const int byte = file.get();
      file.seekp(static_cast<std::streamoff>(at));
      file.put(static_cast<char>(byte ^ (1 << random_() % 8)));
    }
  }

  Status Repair() const { return Examine(Store(), true); }

  Status Backup(const std::string& to, bool force) const {
    BackupRequest request;
    request.path = Store();
    request.to = to;
    request.force = force;
    return internal::ToStatus(Database::Backup(request));
  }

  void KillARepair(int64_t micros) {
    MakeDamaged();
    (KillDuring(micros, [&] { return Repair(); }) ? report_.repairs_killed
                                                  : report_.repairs_finished)++;
    const std::string kept = Store() + ".before-fix";
    const std::string& damaged = fs::exists(kept) ? kept : Store();
    if (!SameBytes(damaged, Damaged())) board_.Report(damaged + " is not the damaged store");
    InChild([&] { return CheckRepaired(); });
  }

  Status CheckRepaired() const {
    RECALL_TRY(Repair());
    RECALL_TRY(CheckNames());
    return CheckContents(Store());
  }

  Status CheckContents(const std::string& path) const {
    RECALL_ASSIGN(const uint32_t sum, ExportSum(path));
    if (std::to_string(sum) == export_sum_) return Status::Ok();
    return Problem(path + ": the export is not that of the sound store");
  }

  // Whether SQLite ignores a rollback journal, and replaces it at the next write: it is empty or
  // its header was not yet written, because the process was killed before it changed the store.
  // Such a journal remains if the repair had already corrected the pages, so that nothing is left
  // to do.
  static bool IsUnusedJournal(const fs::path& journal) {
    std::ifstream file(journal, std::ios::binary);
    const int first = file.get();
    return first == 0 || first == std::ifstream::traits_type::eof();
  }

  // Errors: Corruption if there is an unfinished or unknown file.
  Status CheckNames() const {
    for (const auto& entry : fs::directory_iterator(WorkDirectory())) {
      const std::string name = entry.path().filename();
      const bool known = name == "recall.db" || name == "recall.db-wal" ||
                         name == "recall.db-shm" || name == "copy.db" ||
                         name.starts_with("recall.db.before-fix") ||
                         (name == "recall.db-journal" && IsUnusedJournal(entry.path()));
      if (!known) return Problem("the file " + name + " is left");
    }
    return Status::Ok();
  }

  void KillABackup(int64_t micros) {
    MakeSound();
    (KillDuring(micros, [&] { return Backup(Copy(), false); }) ? report_.backups_killed
                                                               : report_.backups_finished)++;
    InChild([&] { return CheckBackup(); });
  }

  Status CheckBackup() const {
    if (fs::exists(Copy())) RECALL_TRY(CheckContents(Copy()));
    RECALL_TRY(Backup(Copy(), true));
    RECALL_TRY(CheckNames());
    RECALL_TRY(CheckContents(Store()));
    return Examine(Copy(), false);
  }

  RepairStressOptions options_;
  std::mt19937_64 random_;
  StressBoard board_;
  std::string export_sum_;  // of the sound store
  RepairStressReport report_;
};

}  // namespace

RepairStressReport RunRepairStress(const RepairStressOptions& options) {
  return RepairStress(options).Run();
}

}  // namespace recall

#include "tests/stress/stress_history.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "storage/documents/document_store.h"
#include "tests/fault/plain_sql.h"
#include "tests/fault/random_words.h"

namespace recall {
namespace {

constexpr uint64_t kPaths = 24;
constexpr size_t kLongestText = 120;  // words
// Limit of the steps between two reads, so that a search for a matching step ends.
constexpr int kMostStepsBetweenReads = 10'000;

uint64_t Mix(uint64_t seed, uint64_t number) {
  std::mt19937_64 random(seed * 1'000'003 + number);
  return random();
}

Status AddPaths(Database& database, const std::string& directory,
                const std::vector<std::string>& paths) {
  AddRequest request;
  for (const std::string& path : paths) request.paths.push_back(directory + "/" + path);
  request.extract_meta = true;
  request.threads = 1;
  RECALL_ASSIGN(const AddReport report, database.Add(request));
  if (report.failed == 0) return Status::Ok();
  return Status::IoError(report.warnings.empty() ? "add failed" : report.warnings[0]);
}

Status Write(Database& database, const StressHistory& history, const StressStep& step,
             const std::string& directory, bool split) {
  for (const std::string& path : step.paths) {
    const std::string file = directory + "/" + path;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << history.TextOf(path, step.number);
  }
  if (!split) return AddPaths(database, directory, step.paths);
  for (const std::string& path : step.paths) {
    RECALL_TRY(AddPaths(database, directory, {path}));
  }
  return Status::Ok();
}

// "step 12 of docs/3.md", the first line after the metadata.
Result<int64_t> StepOf(const std::string& path, const std::string& text) {
  constexpr std::string_view kMark = "# step ";
  const size_t at = text.find(kMark);
  int64_t step = 0;
  if (at != std::string::npos) {
    std::from_chars(text.data() + at + kMark.size(), text.data() + text.size(), step);
  }
  if (step == 0) return Fail(Status::Corruption(path + " has no step: " + text.substr(0, 80)));
  return step;
}

}  // namespace

StressStep StressHistory::Next() const {
  const int64_t number = position_ + 1;
  std::mt19937_64 random(
      Mix(seed_ ^ std::hash<std::string>()(folder_), static_cast<uint64_t>(number)));
  StressStep step{.number = number, .action = StressAction::kEdit, .paths = {}};
  const uint64_t dice = random() % 32;
  if (dice < 8 && documents_.size() > 4) {
    step.action = dice < 6 ? StressAction::kRemove : StressAction::kPurge;
    auto victim = documents_.begin();
    std::advance(victim, static_cast<int64_t>(random() % documents_.size()));
    step.paths = {victim->first};
  } else if (dice == 8 || dice == 9) {
    step.action = dice == 8 ? StressAction::kCompact : StressAction::kCompactNothing;
  } else {
    for (uint64_t i = 1 + random() % 4; i > 0; --i) {
      step.paths.push_back(folder_ + "/" + std::to_string(random() % kPaths) + ".md");
    }
    std::sort(step.paths.begin(), step.paths.end());
    step.paths.erase(std::unique(step.paths.begin(), step.paths.end()), step.paths.end());
  }
  return step;
}

void StressHistory::Advance() {
  const StressStep step = Next();
  position_ = step.number;
  for (const std::string& path : step.paths) {
    if (step.action == StressAction::kEdit) {
      documents_[path] = step.number;
    } else {
      documents_.erase(path);
    }
  }
}

void StressHistory::AdvanceTo(int64_t position) {
  while (position_ < position) Advance();
}

std::string StressHistory::TextOf(const std::string& path, int64_t step) const {
  const uint64_t seed = Mix(seed_ ^ std::hash<std::string>()(path), static_cast<uint64_t>(step));
  return "---\nauthor: a" + std::to_string(step % 7) + "\n---\n# step " + std::to_string(step) +
         " of " + path + "\n\n" + RandomWords(seed, seed % kLongestText);
}

Status TakeStep(Database& database, const StressHistory& history, const StressStep& step,
                const std::string& directory, bool split) {
  if (step.action == StressAction::kEdit) {
    return Write(database, history, step, directory, split);
  }
  if (step.action == StressAction::kCompact || step.action == StressAction::kCompactNothing) {
    CompactRequest request;
    if (step.action == StressAction::kCompact) request.keep_nanos = 0;
    return internal::ToStatus(database.Compact(request));
  }
  RemoveRequest request;
  request.targets = step.paths;
  request.purge = step.action == StressAction::kPurge;
  return internal::ToStatus(database.Remove(request));
}

Result<StressDocuments> ReadDocuments(const ReadTransaction& transaction,
                                      const StressHistory& history) {
  RECALL_ASSIGN(const std::vector<DocRow> rows, FindLiveDocsUnder(transaction, history.folder()));
  StressDocuments documents;
  for (const DocRow& row : rows) {
    RECALL_ASSIGN(const std::string text, ReadText(transaction, row, 0, UINT64_MAX));
    RECALL_ASSIGN(const int64_t step, StepOf(row.path, text));
    if (text != history.TextOf(row.path, step)) {
      return Fail(
          Status::Corruption(row.path + " has not the text of step " + std::to_string(step)));
    }
    documents[row.path] = step;
  }
  return documents;
}

Status FollowStore(const ReadTransaction& transaction, StressHistory& history) {
  RECALL_ASSIGN(const StressDocuments documents, ReadDocuments(transaction, history));
  StressHistory later = history;
  for (int i = 0; i < kMostStepsBetweenReads; ++i) {
    if (documents == later.documents()) {
      history = later;
      return Status::Ok();
    }
    later.Advance();
  }
  return Status::Corruption("a reader at step " + std::to_string(history.position()) + " of " +
                            history.folder() + " sees what no number of whole steps leaves");
}

Status CreateStressStore(const std::string& path, const std::string& journal) {
  CreateOptions options;
  options.dim = 8;
  options.chunk_tokens = 8;
  options.overlap_tokens = 2;
  RECALL_TRY(internal::ToStatus(Database::Create(path, options)));
  RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(path));
  return sql.Run("PRAGMA journal_mode=" + journal);
}

OpenOptions StressOptions() {
  OpenOptions options;
  options.flush_vectors = 16;
  return options;
}

}  // namespace recall

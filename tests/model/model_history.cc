#include "tests/model/model_history.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <utility>

#include "index/search/filter/filter.h"
#include "query/rql/rql.h"
#include "tests/fault/store_check.h"
#include "tests/index/search/filter/random_filters.h"
#include "tests/model/model_check.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStepNames[] = {"add",         "relabel", "rm",     "rm by filter", "compact",
                                      "compact all", "purge",   "reopen", "carry over"};
constexpr uint32_t kChunkTokens = 12;
constexpr uint32_t kOverlapTokens = 2;
constexpr uint32_t kDim = 256;
constexpr int64_t kNewYear2026 = 1'767'225'600;

class Runner final {
 public:
  Runner() : builder_(kChunkTokens, kOverlapTokens, kDim) {
    CreateOptions options;
    options.dim = kDim;
    options.chunk_tokens = kChunkTokens;
    options.overlap_tokens = kOverlapTokens;
    create_ = options;
    create_.embedder = "hash";  // its vectors can be computed in the model
    database_ = *Database::Create(StorePath(), create_);
  }

  // Runs a step. Returns: "" or what is wrong after it.
  std::string Do(const Step& step) {
    random_.seed(step.seed);
    std::string wrong = Dispatch(step.kind);
    if (wrong.empty()) wrong = Remember();
    if (wrong.empty()) wrong = Compare(step.seed);
    return wrong;
  }

  std::string Finish() {
    if (std::string wrong = Reopen(); !wrong.empty()) return wrong;
    if (std::string wrong = Compare(99); !wrong.empty()) return wrong;
    database_.reset();
    return JoinFaults(CheckStore(StorePath()).faults);
  }

 private:
  struct Past {
    std::string token;
    ModelState state;
  };

  bool Chance(uint64_t n) { return random_() % n == 0; }
  std::string StorePath() const { return dir_ / ("recall" + std::to_string(generation_) + ".db"); }
  std::optional<std::string> Label(const char* first, const char* second) {
    if (Chance(2)) return std::nullopt;
    return Chance(2) ? first : second;
  }

  std::string Dispatch(StepKind kind) {
    switch (kind) {
      case StepKind::kAdd:
        return Add();
      case StepKind::kRelabel:
        return Relabel();
      case StepKind::kRemove:
        return Remove(false);
      case StepKind::kRemoveByFilter:
        return RemoveByFilter();
      case StepKind::kCompact:
        return Compact(false);
      case StepKind::kCompactAll:
        return Compact(true);
      case StepKind::kPurge:
        return Remove(true);
      case StepKind::kReopen:
        return Reopen();
      case StepKind::kCarryOver:
        return CarryOver();
    }
    return "no such step";
  }

  // ---- Files ------------------------------------------------------------------------------------

  std::string RandomName() {
    const uint64_t i = random_() % 14;
    return "d" + std::to_string(i % 3) + "/f" + std::to_string(i) + (i % 2 ? ".md" : ".txt");
  }

  void Touch(const std::string& name) {
    const auto day = std::chrono::sys_seconds(
        std::chrono::seconds(kNewYear2026 + static_cast<int64_t>(random_() % 60) * 43'200));
    fs::last_write_time(dir_ / name, std::chrono::file_clock::from_sys(day));
  }

  UnixNanos MtimeOf(const std::string& name) const {
    const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(dir_ / name));
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  }

  // Each name has only a few texts, so that earlier ones return.
  void WriteText(const std::string& name) {
    const uint64_t version = random_() % 4;
    std::mt19937_64 words(std::hash<std::string>()(name) * 31 + version);
    const std::string text = version == 3 && Chance(3)
                                 ? ""
                                 : RandomFrontMatter(words, static_cast<int>(version)) +
                                       "# Title " + std::to_string(version) + "\n\n" +
                                       RandomText(words, words() % 90);
    fs::create_directories(fs::path(dir_ / name).parent_path());
    std::ofstream(dir_ / name, std::ios::binary) << text;
    Touch(name);
  }

  // Updates the store and the model with these files.
  std::string Refresh(const std::vector<std::string>& names) {
    AddRequest request;
    for (const std::string& name : names) request.paths.push_back(dir_ / name);
    request.extract_meta = true;
    request.threads = 1;
    request.tag = Label("t1", "t2");
    request.source = Label("src", "other");
    const auto added = database_->Add(request);
    if (!added) return "add: " + added.error().ToString();
    if (added->failed + added->skipped > 0) return "add: " + added->warnings.at(0);
    for (const std::string& name : names) {
      const auto live = state_.docs().find(name);
      auto doc = builder_.Build(dir_.path(), name, MtimeOf(name),
                                live == state_.docs().end() ? nullptr : live->second.get(),
                                request.tag, request.source);
      if (!doc) return "model: " + doc.error().ToString();
      state_.Put(std::move(*doc));
    }
    return "";
  }

  std::string Add() {
    std::vector<std::string> names;
    for (uint64_t i = 1 + random_() % 5; i > 0; --i) {
      const std::string name = RandomName();
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    for (const std::string& name : names) WriteText(name);
    return Refresh(names);
  }

  std::string Relabel() {
    std::vector<std::string> names;
    for (const auto& [name, doc] : state_.docs()) {
      if (!fs::exists(dir_ / name) || !Chance(2)) continue;
      if (Chance(2)) Touch(name);
      names.push_back(name);
    }
    return names.empty() ? "" : Refresh(names);
  }

  // ---- Removing ---------------------------------------------------------------------------------

  std::string Remove(bool purge) {
    RemoveRequest request;
    request.purge = purge;
    std::vector<std::string> gone;
    const bool nothing = state_.docs().empty() || (purge && Chance(2));
    if (!nothing) {
      auto at = state_.docs().begin();
      std::advance(at, static_cast<ptrdiff_t>(random_() % state_.docs().size()));
      const std::string directory = at->first.substr(0, at->first.find('/'));
      switch (random_() % 3) {
        case 0:
          request.targets = {dir_ / directory};
          for (const auto& [name, doc] : state_.docs()) {
            if (name.starts_with(directory + "/")) gone.push_back(name);
          }
          break;
        case 1:
          request.targets = {ToHex(at->second->doc.id).substr(0, 16)};
          gone = {at->first};
          break;
        default:
          request.targets = {dir_ / at->first};
          gone = {at->first};
      }
    } else if (!purge) {
      return "";
    }
    const auto removed = database_->Remove(request);
    if (!removed) return "rm: " + removed.error().ToString();
    if (removed->removed.size() != gone.size()) {
      return "rm of " + std::to_string(gone.size()) + " removed " +
             std::to_string(removed->removed.size());
    }
    for (const std::string& name : gone) state_.Remove(name);
    if (purge) Expire("");  // expires all earlier snapshots
    return "";
  }

  std::string RemoveByFilter() {
    FilterWriter writer(random_());
    std::string text;
    OracleSets found;
    const auto docs = state_.ForOracle();
    for (;;) {
      text = Chance(3) ? "doc.tag = 't1'" : writer.Write(1);
      const auto expr = ParseFilter(text);
      if (!expr || !CompiledFilter::Compile(*expr, 0)) continue;
      found = FilterNaively(docs, *expr, 0);
      break;
    }
    RemoveRequest request;
    request.scope.filter = text;
    request.scope.as_of = 0;
    const auto removed = database_->Remove(request);
    if (!removed) return "rm --filter " + text + ": " + removed.error().ToString();
    if (removed->removed.size() != found.docs.size()) {
      return "rm --filter " + text + " removed " + std::to_string(removed->removed.size()) +
             ", not " + std::to_string(found.docs.size());
    }
    for (const uint32_t row : found.docs) state_.Remove(docs[row].doc.path);
    return "";
  }

  // ---- The store as a whole ---------------------------------------------------------------------

  std::string Compact(bool all) {
    CompactRequest request;
    request.keep_nanos = all ? 0 : int64_t{3'600'000'000'000};
    const std::string before = Token();
    const auto compacted = database_->Compact(request);
    if (!compacted) return "compact: " + compacted.error().ToString();
    if (!all) return compacted->expired_snapshots == 0 ? "" : "compact dropped young snapshots";
    if (compacted->oldest_snapshot != before) {
      return "compact keeps " + compacted->oldest_snapshot + ", not " + before;
    }
    Expire(before);
    return "";
  }

  std::string Reopen() {
    database_.reset();
    OpenOptions options;
    options.enable_mapping = !Chance(4);
    options.flush_vectors = static_cast<uint32_t>(4 + random_() % 20);
    auto opened = Database::Open(StorePath(), options);
    if (!opened) return "open: " + opened.error().ToString();
    database_ = std::move(*opened);
    return "";
  }

  static Result<std::string> ExportOf(Database& database) {
    std::string lines;
    RECALL_TRY(internal::ToStatus(database.Export({}, [&](std::string_view piece) {
      lines += piece;
      return Status::Ok();
    })));
    return lines;
  }

  std::string CarryOver() {
    ExportRequest request;
    request.out_path = dir_ / (Chance(2) ? "out.jsonl" : "out.jsonl.zst");
    if (const auto out = database_->Export(request); !out) return out.error().ToString();
    const auto lines = ExportOf(*database_);
    if (!lines) return "export: " + lines.error().ToString();
    ++generation_;
    if (auto made = Database::Create(StorePath(), create_); !made) return made.error().ToString();
    past_.clear();  // tokens belong to one store
    if (std::string wrong = Reopen(); !wrong.empty()) return wrong;
    ImportRequest import;
    import.path = request.out_path;
    import.batch_docs = Chance(2) ? 0 : 2;
    if (const auto in = database_->Import(import); !in) return "import: " + in.error().ToString();
    const auto again = ExportOf(*database_);
    if (!again) return "export: " + again.error().ToString();
    return *again == *lines ? "" : "an export of what was imported is another";
  }

  // ---- Comparing --------------------------------------------------------------------------------

  std::string Token() {
    const auto stats = database_->Stats();
    return stats ? stats->store.snapshot : "";
  }

  std::string Remember() {
    const std::string token = Token();
    if (token.empty()) return "stats";
    if (past_.empty() || past_.back().token != token) past_.push_back({token, state_});
    return "";
  }

  // Removes the snapshots before `kept` ("": all) from past_. Their tokens must have expired.
  void Expire(const std::string& kept) {
    while (!past_.empty() && past_.front().token != kept) {
      expired_ = past_.front().token;
      past_.erase(past_.begin());
    }
  }

  std::string Compare(uint64_t seed) {
    std::string wrong = CompareWithModel(*database_, state_, builder_, "", seed);
    if (!wrong.empty()) return wrong;
    const Past& past = past_[seed % past_.size()];
    wrong = CompareWithModel(*database_, past.state, builder_, past.token, seed + 1);
    if (!wrong.empty()) return "at snapshot " + past.token + ": " + wrong;
    if (expired_.empty()) return "";
    SearchRequest request;
    request.text = "alpha";
    request.scope.snapshot = expired_;
    const auto answer = database_->Search(request);
    expired_.clear();
    return !answer && answer.error().code() == StatusCode::kExpired ? "" : "no snapshot expired";
  }

  TempDir dir_;
  ModelBuilder builder_;
  CreateOptions create_;
  std::unique_ptr<Database> database_;
  int generation_ = 0;
  ModelState state_;
  std::vector<Past> past_;  // oldest first; the last is the present state
  std::string expired_;     // a token that has expired
  std::mt19937_64 random_;
};

}  // namespace

std::vector<Step> RandomHistory(uint64_t seed, size_t length) {
  // Additions are more frequent than the other steps.
  constexpr StepKind kChoices[] = {
      StepKind::kAdd,        StepKind::kAdd,      StepKind::kAdd,    StepKind::kAdd,
      StepKind::kRelabel,    StepKind::kRemove,   StepKind::kRemove, StepKind::kRemoveByFilter,
      StepKind::kCompact,    StepKind::kPurge,    StepKind::kReopen, StepKind::kReopen,
      StepKind::kCompactAll, StepKind::kCarryOver};
  std::mt19937_64 random(seed);
  std::vector<Step> history = {{StepKind::kReopen, random()}, {StepKind::kAdd, random()}};
  while (history.size() < length) {
    history.push_back({kChoices[random() % std::size(kChoices)], random()});
  }
  return history;
}

std::string RunHistory(const std::vector<Step>& history) {
  Runner runner;
  for (size_t i = 0; i < history.size(); ++i) {
    const std::string wrong = runner.Do(history[i]);
    if (!wrong.empty()) return "after step " + std::to_string(i) + ": " + wrong;
  }
  const std::string wrong = runner.Finish();
  return wrong.empty() ? "" : "at the end: " + wrong;
}

std::vector<Step> ShrinkHistory(std::vector<Step> history) {
  for (size_t i = history.size(); i-- > 0;) {
    std::vector<Step> shorter = history;
    shorter.erase(shorter.begin() + static_cast<ptrdiff_t>(i));
    if (!RunHistory(shorter).empty()) history = std::move(shorter);
  }
  return history;
}

std::string Print(const std::vector<Step>& history) {
  std::string text;
  for (const Step& step : history) {
    text += std::string(kStepNames[static_cast<size_t>(step.kind)]) + " " +
            std::to_string(step.seed) + "\n";
  }
  return text;
}

}  // namespace recall

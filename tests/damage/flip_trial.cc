#include "tests/damage/flip_trial.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

#include "storage/base/coding.h"
#include "storage/base/split_mix.h"
#include "storage/segment/section_view.h"
#include "storage/segment/segment_format.h"
#include "storage/sqlite/page_checksum.h"
#include "tests/fault/child_process.h"
#include "tests/fault/plain_sql.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kTrialMemory = uint64_t{1} << 30;
constexpr unsigned kTrialSeconds = 120;
constexpr size_t kSectorBytes = 512;
constexpr size_t kWalHeaderBytes = 32;
constexpr size_t kFrameHeaderBytes = 24;

// ---- Messages between processes ----------------------------------------------------------------

using Fields = std::vector<std::string>;

std::string Pack(const Fields& fields) {
  std::string out;
  for (const std::string& field : fields) {
    out += std::to_string(field.size()) + ":" + field;
  }
  return out;
}

Fields Unpack(const std::string& packed) {
  Fields fields;
  for (size_t at = 0; at < packed.size();) {
    const size_t colon = packed.find(':', at);
    const size_t size = std::stoull(packed.substr(at, colon - at));
    fields.push_back(packed.substr(colon + 1, size));
    at = colon + 1 + size;
  }
  return fields;
}

std::string PackAnswers(const Answers& answers) {
  Fields fields;
  for (const Answer& answer : answers) {
    fields.push_back(answer.question);
    fields.push_back(answer.text);
    fields.push_back(std::to_string(static_cast<int>(answer.status.code())));
    fields.emplace_back(answer.status.message());
  }
  return Pack(fields);
}

Answers UnpackAnswers(const std::string& packed) {
  const Fields fields = Unpack(packed);
  Answers answers;
  for (size_t i = 0; i + 3 < fields.size(); i += 4) {
    const auto code = static_cast<StatusCode>(std::stoi(fields[i + 2]));
    const Status status = code == StatusCode::kOk ? Status() : Status(code, fields[i + 3]);
    answers.push_back({fields[i + 1], status, fields[i]});
  }
  return answers;
}

struct Work {
  bool ok = false;
  std::string output;
  std::string crash;  // unless ok
};
Work RunApart(const char* what, const std::function<std::string()>& work) {
  const ChildOutcome outcome = RunInChild([&] {
    LimitMemory(kTrialMemory);
    ::alarm(kTrialSeconds);
    return work();
  });
  if (outcome.exit_code == 0) return {true, outcome.output, ""};
  return {false, "", std::string(what) + ": " + Describe(outcome) + " " + outcome.output};
}

// ---- Comparing ---------------------------------------------------------------------------------

AnswerVerdict VerdictOf(const Answer& answer, const Answer* right) {
  switch (answer.status.code()) {
    case StatusCode::kOk:
      return right && answer.text == right->text ? AnswerVerdict::kRight : AnswerVerdict::kWrong;
    case StatusCode::kCorruption:
      return AnswerVerdict::kRefused;
    case StatusCode::kUnsupported:
    case StatusCode::kIoError:
    case StatusCode::kLimitExceeded:
      return AnswerVerdict::kOtherError;
    default:
      return AnswerVerdict::kMisleading;
  }
}

struct Comparison {
  AnswerVerdict worst = AnswerVerdict::kRight;
  std::string differs;  // the worst answer, and the questions that have no right one
};

std::string Describe(const Answer& answer, const Answer* right) {
  if (!answer.status.ok()) return answer.question + " " + answer.status.ToString();
  std::string text = answer.question + " differs";
  if (right == nullptr) return text;
  const size_t at = std::ranges::mismatch(answer.text, right->text).in1 - answer.text.begin();
  const size_t from = at < 20 ? 0 : at - 20;
  return text + " at " + std::to_string(at) + " of " + std::to_string(right->text.size()) + ": '" +
         answer.text.substr(from, 60) + "', not '" + right->text.substr(from, 60) + "'";
}

Comparison Compare(const Answers& answers, const Answers& right,
                   const std::set<std::string>& ignored) {
  Comparison comparison;
  std::string questions;
  for (const Answer& answer : answers) {
    if (ignored.contains(answer.question)) continue;
    const auto found = std::ranges::find(right, answer.question, &Answer::question);
    const Answer* const expected = found == right.end() ? nullptr : &*found;
    const AnswerVerdict verdict = VerdictOf(answer, expected);
    if (verdict == AnswerVerdict::kRight) continue;
    if (verdict > comparison.worst) comparison.differs = Describe(answer, expected);
    questions += " " + answer.question;
    comparison.worst = std::max(comparison.worst, verdict);
  }
  if (!questions.empty()) comparison.differs += "; in all" + questions;
  return comparison;
}

Comparison CompareBest(const Answers& answers, const std::vector<Answers>& right,
                       const std::set<std::string>& ignored = {}) {
  Comparison best{AnswerVerdict::kWrong, "no answer"};
  for (const Answers& each : right) {
    const Comparison comparison = Compare(answers, each, ignored);
    if (&each == right.data() || comparison.worst < best.worst) best = comparison;
  }
  return best;
}

// The rows of documents, texts, chunks and user-supplied vectors, read without any check; a line
// for each table that cannot be read.
std::string PrimaryRows(const std::string& path) {
  constexpr const char* kTables[] = {
      "doc NOT INDEXED", "text_block", "given_vector",
      "(SELECT id, doc, start_byte, end_byte FROM chunk NOT INDEXED)"};
  auto sql = PlainSql::Open(path);
  if (!sql) return Pack({sql.error().ToString()});
  // The columns that can be computed from others are left out.
  constexpr const char* kColumns[] = {
      "id, path, hash, mtime, size, tag, source, meta, parser, first_chunk, chunk_count, "
      "first_block, added_seq, removed_seq, origin",
      "*", "*", "*"};
  Fields rows;
  for (size_t i = 0; i < std::size(kTables); ++i) {
    const auto found = sql->Rows(std::string("SELECT ") + kColumns[i] + " FROM " + kTables[i]);
    if (!found) {
      rows.push_back(std::string("unreadable ") + kTables[i]);
      continue;
    }
    for (PlainSql::Row row : *found) {
      row.insert(row.begin(), kTables[i]);
      rows.push_back(Pack(row));
    }
  }
  return Pack(rows);
}

// What a repair has changed in primary data other than to what is right, or "".
std::string ChangedRows(const std::string& before, const std::string& after,
                        const std::string& right) {
  const Fields old_rows = Unpack(before);
  const Fields right_rows = Unpack(right);
  const std::set<std::string> had(old_rows.begin(), old_rows.end());
  const std::set<std::string> may(right_rows.begin(), right_rows.end());
  const Fields new_rows = Unpack(after);
  const std::set<std::string> have(new_rows.begin(), new_rows.end());
  for (const std::string& row : have) {
    if (!had.contains(row) && !may.contains(row)) return "it made the row " + row.substr(0, 100);
  }
  for (const std::string& row : had) {
    if (may.contains(row) && !have.contains(row)) return "it deleted the row " + row.substr(0, 100);
  }
  return "";
}

// ---- The doctor --------------------------------------------------------------------------------

struct Diagnosis {
  std::string fixed;  // codes of errors
  std::string left;   // codes of errors; or why the doctor failed
  std::string kept_copy;
};

std::string AskDoctor(const DoctorRequest& request) {
  const auto report = Database::Doctor(request);
  if (!report) return Pack({"", report.error().ToString(), ""});
  std::string fixed, left;
  for (const DoctorFinding& finding : report->findings) {
    if (finding.severity == "error") (finding.fixed ? fixed : left) += finding.code + " ";
  }
  return Pack({fixed, left, report->kept_copy});
}

Diagnosis ReadDiagnosis(const std::string& packed) {
  const Fields fields = Unpack(packed);
  return {fields.at(0), fields.at(1), fields.at(2)};
}

bool HasAny(const std::string& codes, std::initializer_list<const char*> names) {
  return std::ranges::any_of(
      names, [&](const char* name) { return codes.find(name) != std::string::npos; });
}

// ---- Places ------------------------------------------------------------------------------------

const char* SectionName(uint16_t kind) {
  switch (static_cast<SectionKind>(kind)) {
    case SectionKind::kSignatures:
      return "segment: sign codes";
    case SectionKind::kChunkIds:
      return "segment: chunk ids";
    case SectionKind::kVectors:
      return "segment: vectors";
    case SectionKind::kScales:
      return "segment: scales";
    case SectionKind::kTokenCounts:
      return "segment: token counts";
    case SectionKind::kCellEnds:
      return "segment: list ends";
    case SectionKind::kSlots:
      return "segment: slots";
    case SectionKind::kVectorChecksums:
      return "segment: checksums";
  }
  return "segment";
}

uint32_t PageSizeOf(const std::string& file) {
  const auto high = static_cast<uint8_t>(file[16]);
  const auto low = static_cast<uint8_t>(file[17]);
  const uint32_t size = uint32_t{high} << 8 | low;
  return size == 1 ? 65536 : size;
}

// Whether trials change the page, numbered from 0, of the table.
bool IsAimedAt(std::string_view aim, size_t page, std::string_view table) {
  if (aim == "any" || aim == "trailers") return true;
  if (aim == "header") return page == 0;
  if (aim.ends_with('*')) return table.starts_with(aim.substr(0, aim.size() - 1));
  return table == aim;
}

// The sizes of the WAL after each of its commits.
std::vector<size_t> CommitEnds(const std::string& wal, uint32_t page_size) {
  std::vector<size_t> ends;
  const size_t frame = kFrameHeaderBytes + page_size;
  for (size_t at = kWalHeaderBytes; at + frame <= wal.size(); at += frame) {
    if (wal.compare(at + 4, 4, std::string(4, '\0')) != 0) ends.push_back(at + frame);
  }
  return ends;
}

Result<Answers> AskApart(const std::string& path, const FileBytes& files,
                         const QuestionOptions& questions) {
  WriteFiles(path, files);
  const Work work = RunApart("questions", [&] { return PackAnswers(AskStore(path, questions)); });
  if (!work.ok) return Fail(Status::IoError(work.crash));
  return UnpackAnswers(work.output);
}

}  // namespace

Result<FlipTrials> FlipTrials::Make(const FlipStore& store, const std::string& directory,
                                    const FlipOptions& options) {
  FlipTrials trials;
  trials.options_ = options;
  trials.questions_.embedding = store.embedding;
  if (options.unverified) trials.questions_.verify_pages = PageVerification::kNever;
  trials.path_ = directory + "/recall.db";
  const Work made = RunApart("making the store", [&] { return store.make(directory).ToString(); });
  if (!made.ok) return Fail(Status::IoError(made.crash));
  if (!made.output.empty() && made.output != Status().ToString()) {
    return Fail(Status::IoError(made.output));
  }
  trials.files_ = ReadFiles(trials.path_);
  std::string& file = trials.files_.at("");
  trials.page_size_ = PageSizeOf(file);
  if (options.unsealed) {
    for (size_t end = trials.page_size_; end <= file.size(); end += trials.page_size_) {
      std::memset(file.data() + end - kPageTrailerBytes, 0, kPageTrailerBytes);
    }
  }

  std::vector<FileBytes> states = {trials.files_};
  if (const auto wal = trials.files_.find("-wal"); wal != trials.files_.end()) {
    FileBytes state = trials.files_;
    for (const size_t end : CommitEnds(wal->second, trials.page_size_)) {
      state["-wal"] = wal->second.substr(0, end);
      states.push_back(state);
    }
    state.erase("-wal");
    states.push_back(state);
  }
  for (const FileBytes& state : states) {
    RECALL_ASSIGN(Answers answers, AskApart(trials.path_, state, trials.questions_));
    for (const Answer& answer : answers) {
      if (!answer.status.ok()) {
        return Fail(answer.status.WithContext("the sound store " + std::string(store.name) + ", " +
                                              answer.question));
      }
    }
    trials.right_.push_back(std::move(answers));
  }

  WriteFiles(trials.path_, {{"", file}});
  const Work pages = RunApart("dbstat", [&]() -> std::string {
    auto sql = PlainSql::Open(trials.path_);
    if (!sql) return "";
    const auto rows = sql->Rows("SELECT pageno, name FROM dbstat");
    Fields fields;
    if (rows) {
      for (const PlainSql::Row& row : *rows) fields.insert(fields.end(), row.begin(), row.end());
    }
    return Pack(fields);
  });
  trials.tables_.resize(file.size() / trials.page_size_);
  const Fields fields = Unpack(pages.output);
  for (size_t i = 0; i + 1 < fields.size(); i += 2) {
    trials.tables_.at(std::stoull(fields[i]) - 1) = fields[i + 1];
  }
  WriteFiles(trials.path_, trials.files_);
  trials.primary_ = RunApart("rows", [&] { return PrimaryRows(trials.path_); }).output;

  if (trials.files_.contains("-wal")) {
    trials.targets_.push_back({"-wal", 0, trials.files_.at("-wal").size()});
    return trials;
  }
  const size_t page = trials.page_size_;
  const size_t skipped = options.aim == "trailers" ? page - kPageTrailerBytes : 0;
  for (size_t i = 0; i < trials.tables_.size(); ++i) {
    if (IsAimedAt(options.aim, i, trials.tables_[i])) {
      trials.targets_.push_back({"", i * page + skipped, (i + 1) * page});
    }
  }
  return trials;
}

FlipPlace FlipTrials::Locate(const std::string& file, size_t at) const {
  FlipPlace place{file, at, 0, ""};
  if (!file.empty()) {
    const size_t frame = kFrameHeaderBytes + page_size_;
    place.part = at < kWalHeaderBytes                                 ? "WAL header"
                 : (at - kWalHeaderBytes) % frame < kFrameHeaderBytes ? "WAL frame header"
                                                                      : "WAL frame";
    return place;
  }
  const size_t in_page = at % page_size_;
  const size_t begin = at - in_page;
  place.page = static_cast<uint32_t>(begin / page_size_) + 1;
  const std::string& table = tables_[place.page - 1];
  const std::string& bytes = files_.at("");
  segment_format::Page page;
  std::memcpy(&page, bytes.data() + begin, sizeof(page));
  const bool in_segment =
      std::memcmp(page.magic, segment_format::kPageMagic, sizeof(page.magic)) == 0;
  constexpr size_t kFileHeaderBytes = 100;
  place.part = at < kFileHeaderBytes ? "file header"
               : place.page == 1     ? "schema"
               : table.empty()       ? "free page"
                                     : table;
  if (in_segment && !table.empty()) place.part = SectionName(page.kind);
  if (in_page >= page_size_ - kPageTrailerBytes && bytes[20] != 0) {
    place.part = "trailers";
  } else if (in_segment && in_page < segment_format::kPageHeaderBytes) {
    place.part = "segment: page headers";
  }
  return place;
}

FileBytes FlipTrials::Damage(uint64_t seed, FlipOutcome* outcome) const {
  SplitMix64 random(seed);
  FileBytes files = files_;
  size_t all = 0;
  for (const Target& target : targets_) all += target.end - target.begin;
  for (;;) {
    size_t at = random.Next() % all;
    const Target* target = targets_.data();
    for (; at >= target->end - target->begin; ++target) at -= target->end - target->begin;
    at += target->begin;
    std::string& bytes = files.at(target->file);
    if (bytes[at] == 0) continue;
    outcome->place = Locate(target->file, at);
    switch (options_.kind) {
      case FlipKind::kBit: {
        const uint64_t bit = random.Next() % 8;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        outcome->change = "bit " + std::to_string(bit);
        break;
      }
      case FlipKind::kByte: {
        const uint64_t mask = 1 + random.Next() % 255;
        bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(mask));
        outcome->change = "xor " + std::to_string(mask);
        break;
      }
      case FlipKind::kSector: {
        const size_t begin = at / kSectorBytes * kSectorBytes;
        const size_t end = std::min(begin + kSectorBytes, bytes.size());
        for (size_t i = begin; i < end; ++i) bytes[i] = static_cast<char>(random.Next());
        outcome->change = "sector";
        break;
      }
      case FlipKind::kZeros: {
        const size_t size = random.Next() % 2 == 0 ? kSectorBytes : 8 * kSectorBytes;
        const size_t begin = at / size * size;
        const size_t end = std::min(begin + size, bytes.size());
        std::memset(bytes.data() + begin, 0, end - begin);
        outcome->change = std::to_string(size) + " zeros";
        break;
      }
    }
    return files;
  }
}

void FlipTrials::Ask(const FileBytes& files, FlipOutcome* outcome) const {
  WriteFiles(path_, files);
  const Work work = RunApart("questions", [&] { return PackAnswers(AskStore(path_, questions_)); });
  if (!work.ok) {
    outcome->crash = work.crash;
    return;
  }
  const Comparison comparison = CompareBest(UnpackAnswers(work.output), right_);
  outcome->answers = comparison.worst;
  outcome->differs = comparison.differs;
}

// The report of a repair also says what the doctor found before it.
void FlipTrials::Repair(const FileBytes& files, bool keep_copy, FlipOutcome* outcome) const {
  WriteFiles(path_, files);
  const DoctorRequest request{.path = path_,
                              .fix = true,
                              .keep_copy = keep_copy,
                              .accept_pages = options_.accepting,
                              .threads = 1};
  const Work work = RunApart("doctor --fix", [&] { return AskDoctor(request); });
  if (!work.ok) {
    outcome->crash = work.crash;
    return;
  }
  const Diagnosis diagnosis = ReadDiagnosis(work.output);
  outcome->findings = diagnosis.fixed + diagnosis.left;
  outcome->faultless = outcome->findings.empty();
  if (outcome->faultless) return;
  if (!diagnosis.kept_copy.empty()) {
    const FileBytes kept = ReadFiles(diagnosis.kept_copy);
    if (kept.at("") != files.at("")) outcome->crash = "the kept copy is not the damaged store";
    for (const auto& [suffix, bytes] : kept) fs::remove(diagnosis.kept_copy + suffix);
  }
  if (!diagnosis.left.empty()) {
    outcome->repair = "left: " + diagnosis.left;
    ComparePrimary(files, outcome);
    return;
  }
  // A repair of anything but pages gives up older commits.
  std::string tables = diagnosis.fixed;
  constexpr std::string_view kPages = "page_checksum ";
  if (const size_t at = tables.find(kPages); at != std::string::npos) {
    tables.erase(at, kPages.size());
  }
  const bool retrained =
      HasAny(tables, {"vector", "model", "segment", "tail_record", "signature", "schema_drift"});
  CompareRepaired(!tables.empty(), retrained, keep_copy, outcome);
}

void FlipTrials::ComparePrimary(const FileBytes& before, FlipOutcome* outcome) const {
  const auto rows = [&] { return RunApart("rows", [&] { return PrimaryRows(path_); }).output; };
  const std::string after = rows();
  WriteFiles(path_, before);
  const std::string changed = ChangedRows(rows(), after, primary_);
  outcome->repaired = changed.empty() ? Repaired::kRefused : Repaired::kOverwrote;
  if (!changed.empty()) outcome->repair = changed + "; " + outcome->repair;
}

void FlipTrials::CompareRepaired(bool changed_tables, bool retrained, bool again,
                                 FlipOutcome* outcome) const {
  std::set<std::string> ignored;
  if (changed_tables) ignored = {"commit", "snapshot"};
  if (again) {
    const Work work =
        RunApart("doctor again", [&] { return AskDoctor({.path = path_, .threads = 1}); });
    const std::string left = work.ok ? ReadDiagnosis(work.output).left : work.crash;
    if (!left.empty()) {
      outcome->repaired = Repaired::kLossy;
      outcome->repair = "the next examination finds " + left;
      return;
    }
  }
  const Work work =
      RunApart("questions afterwards", [&] { return PackAnswers(AskStore(path_, questions_)); });
  if (!work.ok) {
    outcome->crash = work.crash;
    return;
  }
  const Answers answers = UnpackAnswers(work.output);
  const Comparison all = CompareBest(answers, right_, ignored);
  if (all.worst == AnswerVerdict::kRight) {
    outcome->repaired = Repaired::kRestored;
    return;
  }
  outcome->repair = all.differs;
  outcome->repaired = Repaired::kLossy;
  if (!retrained) return;
  ignored.insert({"hybrid", "semantic", "filter", "similar", "context"});
  if (CompareBest(answers, right_, ignored).worst == AnswerVerdict::kRight) {
    outcome->repaired = Repaired::kRetrained;
  }
}

FlipOutcome FlipTrials::Run(uint64_t seed) const {
  constexpr uint64_t kKeepCopyEach = 8;
  FlipOutcome outcome;
  outcome.seed = seed;
  const FileBytes files = Damage(seed, &outcome);
  Ask(files, &outcome);
  if (outcome.crash.empty()) Repair(files, seed % kKeepCopyEach == 0, &outcome);
  return outcome;
}

}  // namespace recall

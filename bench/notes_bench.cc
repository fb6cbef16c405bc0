// notes_bench RECALL [--small] [--repeats N] [--store NOTES] DIR...
//
// What do notes cost? Makes a store of 100,000 notes from paragraphs of the files in DIR..., with
// five links each, one use and one review, and times in turns:
//
//   `recall save` as a process, beside a write and a sync of one page, and beside a search;
//   a search as a process, without and with the view `memory`;
//   in one process, up to the bytes of the JSON: a search without and with the view, with the
//   stages `hops` and `freshness`, and the lists of what is due, stale and at risk.
//
// --store keeps the store of the notes in a file, or uses the one that is there.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/bench_util.h"
#include "bench/timed_process.h"
#include "cli/commands/commands.h"
#include "cli/run/execution/command_call.h"
#include "index/base/paths/doc_path.h"
#include "index/write/ingest/walker.h"
#include "index/write/local/local_store.h"
#include "query/database/database.h"
#include "storage/store/store.h"

namespace recall {
namespace {

constexpr int kLinks = 5;
constexpr std::string_view kAsOf = "2026-12-01";
constexpr UnixNanos kNewest = 1'796'083'200'000'000'000;  // 2026-12-01
constexpr UnixNanos kDay = 86'400'000'000'000;

// Paragraphs of at least 200 bytes, cut to 1,200.
std::vector<std::string> Paragraphs(const std::vector<std::string>& roots, size_t most) {
  std::vector<std::string> paragraphs;
  for (const FoundFile& file : FindFiles(roots, "/", {}).files) {
    if (paragraphs.size() >= most) break;
    if (file.size > 200'000) continue;
    std::ifstream in(FilePathOf(file.doc_path, "/"));
    std::string line;
    std::string paragraph;
    while (std::getline(in, line)) {
      const bool text = std::ranges::all_of(line, [](unsigned char c) { return c < 0x7F; }) &&
                        line.find('\0') == std::string::npos;
      if (!text) break;
      if (!line.empty()) paragraph += line + "\n";
      if (!line.empty() && paragraph.size() < 1200) continue;
      if (paragraph.size() >= 200) paragraphs.push_back(std::move(paragraph));
      paragraph.clear();
    }
  }
  if (paragraphs.empty()) Die("DIR... contain no text");
  return paragraphs;
}

std::string Words(const std::string& text, size_t first, size_t count) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) words.back() += c;
    if (!letter && words.back().size() < 3) words.back().clear();
    if (!letter && !words.back().empty()) words.emplace_back();
  }
  std::string found;
  for (size_t i = 0; i < count && i < words.size(); ++i) {
    found += (i == 0 ? "" : " ") + words[(first + i) % words.size()];
  }
  return found.empty() ? "a note" : found;
}

std::string PathOfNote(size_t number) { return "notes/n" + std::to_string(number) + ".md"; }

std::string DateOf(UnixNanos at) {
  const std::time_t seconds = at / 1'000'000'000;
  char date[32];
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&seconds));
  return date;
}

std::string NoteText(size_t number, size_t notes, const std::string& paragraph) {
  static constexpr const char* kTypes[] = {"lesson", "decision", "project-fact", "workflow", "bug"};
  std::mt19937_64 random(number);
  std::string text =
      "---\ntype: " + std::string(kTypes[number % 5]) + "\ntitle: " + Words(paragraph, 0, 5) +
      "\nsummary: " + Words(paragraph, 5, 12) + "\nrecall_when:\n  - " + Words(paragraph, 3, 4) +
      "\n  - " + Words(paragraph, 9, 4) + "\ntags:\n  - " + Words(paragraph, 1, 1) +
      "\ncreated: " + DateOf(kNewest - kDay * static_cast<int64_t>(number % 500)) + "\nrelated:\n";
  for (int i = 0; i < kLinks; ++i) text += "  - n" + std::to_string(random() % notes) + "\n";
  return text + "---\n\n" + paragraph;
}

void AddNotes(const std::string& path, const std::vector<std::string>& paragraphs, size_t notes) {
  const ScratchDir scratch;
  const std::string lines = scratch.path() + "/notes.jsonl";
  std::ofstream out(lines);
  for (size_t i = 0; i < notes; ++i) {
    const nlohmann::json line = {
        {"path", PathOfNote(i)},
        {"text", NoteText(i, notes, paragraphs[i % paragraphs.size()])},
    };
    out << line.dump() << '\n';
  }
  out.close();
  auto database = Database::Create(path, {});
  if (!database) Die(database.error().ToString());
  AddRequest request;
  request.jsonl = lines;
  request.parser = Parser::kNote;
  const auto report = (*database)->Add(request);
  if (!report) Die(report.error().ToString());
}

void RecordUsesAndReviews(const std::string& path, size_t notes) {
  auto store = Store::Open(path, {});
  if (!store) Die(store.error().ToString());
  LocalStore local(store->get());
  auto batch = local.BeginBatch();
  if (!batch) Die(batch.error().ToString());
  for (size_t i = 0; i < notes; ++i) {
    const UnixNanos at = kNewest - kDay * static_cast<int64_t>(1 + i % 90);
    UseRow use;
    use.at = at;
    use.how = "used";
    use.count = static_cast<int64_t>(1 + i % 20);
    ReviewRow review;
    review.at = at;
    review.quality = 4;
    review.interval_days = static_cast<int64_t>(1 + i % 120);
    review.due = at + kDay * review.interval_days;
    const auto used = (*batch)->PutUse(PathOfNote(i), use);
    if (!used) Die(used.error().ToString());
    const auto reviewed = (*batch)->PutReview(PathOfNote(i), review);
    if (!reviewed) Die(reviewed.error().ToString());
  }
  const auto committed = (*batch)->Commit();
  if (!committed.ok()) Die(committed.ToString());
}

// What a durable commit cannot do without: a page is appended to a file and synced.
double TimeSync(const std::string& path) {
  const double start = Now();
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const std::string page(4096, 'x');
  if (fd < 0 || ::write(fd, page.data(), page.size()) != 4096 || ::fsync(fd) != 0) Die(path);
  ::close(fd);
  return Now() - start;
}

struct Row {
  std::string what;
  std::vector<double> times = {};
};

void PrintRows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::printf("  %-44s median %7.2f ms  best %7.2f ms  ratio %5.2f\n", row.what.c_str(),
                Median(row.times) * 1e3, *std::ranges::min_element(row.times) * 1e3,
                Median(row.times) / Median(rows[0].times));
  }
}

using Strings = std::vector<std::string>;

void TimeProcesses(const std::string& recall, const std::string& store,
                   const std::vector<std::string>& questions, int repeats) {
  const ScratchDir scratch;
  std::vector<Row> rows = {{"search"}, {"search --view memory"}, {"save"}, {"write and sync"}};
  for (int i = -1; i < repeats; ++i) {
    const std::string& question = questions[static_cast<size_t>(i + 1) % questions.size()];
    const Strings search = {recall, "search", question,  "--store",
                            store,  "--json", "--as-of", std::string(kAsOf)};
    Strings view = search;
    view.insert(view.end(), {"--view", "memory"});
    const Strings save = {recall,   "save",    "lesson",
                          question, "--store", store,
                          "--json", "--text",  "The words of this note are: " + question};
    const double times[] = {TimeProcess(search), TimeProcess(view), TimeProcess(save),
                            TimeSync(scratch.path() + "/page")};
    if (i < 0) continue;
    for (size_t row = 0; row < rows.size(); ++row) rows[row].times.push_back(times[row]);
  }
  std::printf("whole processes\n");
  PrintRows(rows);
}

void TimeCalls(const std::string& store, const std::vector<std::string>& questions, int repeats) {
  CallSettings settings;
  settings.locate.store = store;
  CallRunner runner(std::move(settings));
  const struct {
    std::string what;
    std::string command;
    Strings flags;
    bool asks;
  } kCalls[] = {
      {"search", "search", {}, true},
      {"search, view memory", "search", {"--view", "memory"}, true},
      {"search, view memory, hops and freshness",
       "search",
       {"--view", "memory", "--hops", "1"},
       true},
      {"due list", "review", {"--list"}, false},
      {"stale list", "stale", {}, false},
      {"at-risk list", "stale", {"--at-risk", "0.25"}, false},
  };
  std::vector<Row> rows;
  for (const auto& call : kCalls) rows.push_back({call.what});
  for (int i = -1; i < repeats; ++i) {
    for (size_t q = 0; q < questions.size(); ++q) {
      for (size_t row = 0; row < rows.size(); ++row) {
        const auto& call = kCalls[row];
        if (!call.asks && q % 5 != 0) continue;
        Strings args = {"--json", "--as-of", std::string(kAsOf)};
        args.insert(args.end(), call.flags.begin(), call.flags.end());
        if (call.asks) args.insert(args.end(), {"--", questions[q]});
        const double start = Now();
        const CallAnswer answer = runner.Run({FindCommand(call.command), args});
        const double seconds = Now() - start;
        if (!answer.output.starts_with("{\"ok\":true")) Die(answer.output);
        if (i >= 0) rows[row].times.push_back(seconds);
      }
    }
  }
  std::printf("in one process, with JSON\n");
  PrintRows(rows);
}

int Main(BenchArgs args) {
  std::string kept;
  std::vector<std::string> rest;
  for (size_t i = 0; i < args.rest.size(); ++i) {
    if (args.rest[i] == "--store" && i + 1 < args.rest.size()) {
      kept = args.rest[++i];
    } else {
      rest.push_back(args.rest[i]);
    }
  }
  if (rest.size() < 2) Die("usage: notes_bench RECALL [--repeats N] [--store NOTES] DIR...");
  const ScratchDir scratch;
  const std::string store = kept.empty() ? scratch.path() + "/notes.db" : kept;
  const size_t notes = args.small ? 500 : 100'000;
  const std::vector<std::string> paragraphs = Paragraphs({rest.begin() + 1, rest.end()}, notes);
  if (!std::filesystem::exists(store)) {
    const double start = ProcessorTime();
    AddNotes(store, paragraphs, notes);
    const double added = ProcessorTime();
    RecordUsesAndReviews(store, notes);
    std::printf(
        "%zu notes with %zu links: %.1f s of processor time; a use and a review each: %.1f\n",
        notes, notes * kLinks, added - start, ProcessorTime() - added);
  }
  std::vector<std::string> questions;
  for (size_t i = 0; i < 25; ++i) {
    questions.push_back(Words(paragraphs[i * 7919 % paragraphs.size()], i, 5));
  }
  const int repeats = args.small ? 1 : std::max(args.repeats, 25);
  TimeProcesses(rest[0], store, questions, repeats);
  TimeCalls(store, questions, args.small ? 1 : std::max(args.repeats / 5, 2));
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(recall::ParseBenchArgs(argc, argv)); }

// Commits are read from `git log -z --name-only` as fields that end with a NUL byte:
//
//   ""  ID  E-MAIL  SECONDS  PARENTS  TRAILERS  NOTES  [FILE...]
//
// A file has a name, so an empty field begins the next commit. Git writes a newline before the
// first file. A commit is taken when the next one begins, so one is in memory beside those that are
// kept.

#include <algorithm>
#include <charconv>

#include "query/memory/git/branch_log.h"
#include "query/memory/git/git_program.h"
#include "query/memory/git/repository.h"

namespace recall {
namespace {

constexpr size_t kFields = 7;
constexpr UnixNanos kSecond = 1'000'000'000;

bool IsIdCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-' || c == '.';
}

bool HasDigit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

// Some programs write the date before the id of the session: 2026-02-18-9f93d8d0-...
std::string_view WithoutDate(std::string_view id) {
  constexpr std::string_view kShape = "dddd-dd-dd-";
  if (id.size() < kShape.size() + 8) return id;
  for (size_t i = 0; i < kShape.size(); ++i) {
    const bool fits = kShape[i] == 'd' ? id[i] >= '0' && id[i] <= '9' : id[i] == '-';
    if (!fits) return id;
  }
  return id.substr(kShape.size());
}

void AddId(std::string_view id, std::vector<std::string>* ids) {
  ids->emplace_back(id);
  if (const std::string_view rest = WithoutDate(id); rest != id) ids->emplace_back(rest);
}

// The words that may be ids of sessions: long enough, and not words of a language.
void AddWords(std::string_view text, std::vector<std::string>* ids) {
  constexpr size_t kShortest = 8;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && IsIdCharacter(text[end])) ++end;
    std::string_view word = text.substr(begin, end - begin);
    while (word.ends_with('.')) word.remove_suffix(1);
    if (word.size() >= kShortest && HasDigit(word)) AddId(word, ids);
    begin = end + 1;
  }
}

bool IsSessionKey(std::string_view key) {
  std::string lower(key);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view end : {"session", "session-id", "sessions", "session-ids"}) {
    if (lower == end || lower.ends_with("-" + std::string(end))) return true;
  }
  return false;
}

std::string_view WithoutSpaceAround(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

// "Claude-Session: https://host/session_01R5": the whole value, and its words if it has several.
void AddTrailers(std::string_view trailers, std::vector<std::string>* ids) {
  while (!trailers.empty()) {
    const std::string_view line = trailers.substr(0, trailers.find('\n'));
    trailers.remove_prefix(std::min(line.size() + 1, trailers.size()));
    const size_t colon = line.find(':');
    if (colon == line.npos || !IsSessionKey(line.substr(0, colon))) continue;
    const std::string_view value = WithoutSpaceAround(line.substr(colon + 1));
    if (!value.empty()) AddId(value, ids);
    AddWords(value, ids);
  }
}

void SortUnique(std::vector<std::string>* values) {
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
}

// `fields` of one commit. Returns nothing if they are not those of a commit.
std::optional<GitCommit> CommitOf(const std::vector<std::string>& fields) {
  if (fields.size() < kFields) return std::nullopt;
  GitCommit commit;
  commit.sha = fields[1];
  commit.author = fields[2];
  int64_t seconds = 0;
  const std::string& number = fields[3];
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), seconds);
  const bool is_id = (commit.sha.size() == 40 || commit.sha.size() == 64) &&
                     commit.sha.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_id || error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  constexpr int64_t kLastSecond = INT64_MAX / kSecond;
  commit.at = std::clamp(seconds, -kLastSecond, kLastSecond) * kSecond;
  commit.is_merge = fields[4].find(' ') != std::string::npos;
  AddTrailers(fields[5], &commit.session_ids);
  AddWords(fields[6], &commit.session_ids);
  for (size_t i = kFields; i < fields.size(); ++i) {
    const bool after_newline = i == kFields && fields[i].starts_with('\n');
    commit.files.push_back(after_newline ? fields[i].substr(1) : fields[i]);
  }
  SortUnique(&commit.files);
  SortUnique(&commit.session_ids);
  return commit;
}

// Cuts the output of git into commits.
class LogReader final {
 public:
  explicit LogReader(const std::function<void(GitCommit)>& visit) : visit_(visit) {}

  Status Take(std::string_view piece) {
    while (!piece.empty()) {
      const size_t end = piece.find('\0');
      rest_ += piece.substr(0, end);
      if (end == piece.npos) return {};
      piece.remove_prefix(end + 1);
      if (rest_.empty() && fields_.size() >= kFields) RECALL_TRY(Finish());
      fields_.push_back(std::move(rest_));
      rest_.clear();
    }
    return {};
  }

  Status Finish() {
    if (fields_.empty()) return {};
    std::optional<GitCommit> commit = CommitOf(fields_);
    fields_.clear();
    if (!commit) return Status::IoError("git log printed something else than commits");
    visit_(std::move(*commit));
    return {};
  }

 private:
  const std::function<void(GitCommit)>& visit_;
  std::vector<std::string> fields_;  // of the commit that is being read
  std::string rest_;                 // of the field that is being read
};

// `path`: only commits that change this file; "": all. Returns false if git does not know the
// revision.
Result<bool> ReadLog(const GitRepository& repository, const std::vector<std::string>& what,
                     const std::function<void(GitCommit)>& visit, std::string* error,
                     const std::string& path = "") {
  std::vector<std::string> arguments = {
      "log",
      "-z",
      "--no-color",
      "--no-renames",
      "--no-ext-diff",
      "--no-show-signature",
      "--no-mailmap",
      "--name-only",
      "--root",
      "--diff-merges=first-parent",
      "--notes=refs/notes/*",
      "--format=tformat:%x00%H%x00%ae%x00%at%x00%P%x00%(trailers:only=true,unfold=true)%x00%N"};
  arguments.insert(arguments.end(), what.begin(), what.end());
  arguments.emplace_back("--");
  if (!path.empty()) arguments.push_back(":(top,literal)" + path);
  LogReader reader(visit);
  const std::string& directory = repository.root.empty() ? repository.git_dir : repository.root;
  RECALL_ASSIGN(const GitOutput output,
                StreamGit({directory, std::move(arguments)},
                          [&reader](std::string_view piece) { return reader.Take(piece); }));
  if (!output.succeeded) {
    *error = output.error;
    return false;
  }
  RECALL_TRY(reader.Finish());
  return true;
}

// Names come from transcripts, and must not be taken for a range or a path in a commit.
bool MayBeBranch(std::string_view name) {
  return !name.empty() && name.find_first_of("~^:?*[\\ \n") == name.npos &&
         name.find("..") == name.npos && name.find("@{") == name.npos;
}

}  // namespace

Result<GitCommit> ReadCommit(const GitRepository& repository, const std::string& revision) {
  const auto unknown = [&](const std::string& why) {
    return Fail(Status::InvalidArgument(
        "no such commit: '" + revision + "'" + (why.empty() ? "" : " (git: " + why + ")"),
        "name a commit of this repository, such as HEAD"));
  };
  const bool is_set = revision.find("..") != revision.npos || revision.find('\n') != revision.npos;
  if (revision.empty() || revision[0] == '-' || revision[0] == '^' || is_set) return unknown("");
  std::optional<GitCommit> commit;
  std::string why;
  RECALL_ASSIGN(const bool known, ReadLog(
                                      repository, {"-1", revision + "^{commit}"},
                                      [&](GitCommit read) { commit = std::move(read); }, &why));
  if (!known || !commit) return unknown(why);
  return std::move(*commit);
}

Result<std::vector<GitCommit>> CommitsSince(const GitRepository& repository,
                                            const std::string& branch, UnixNanos from,
                                            const std::function<bool(const GitCommit&)>& keep) {
  const int64_t first = from >= 0 ? from / kSecond : 0;
  std::vector<std::string> what;
  // Git compares the time of the committer, which is not before that of the author.
  if (first > 0) what.push_back("--since=@" + std::to_string(first) + " +0000");
  std::vector<GitCommit> commits;
  const auto visit = [&](GitCommit commit) {
    if (commit.at >= first * kSecond && keep(commit)) commits.push_back(std::move(commit));
  };
  std::string error;
  bool known = false;
  if (MayBeBranch(branch)) {
    what.push_back("refs/heads/" + branch);
    RECALL_ASSIGN(known, ReadLog(repository, what, visit, &error));
    what.pop_back();
  }
  if (!known && !repository.head.empty()) {
    commits.clear();
    what.push_back("HEAD");
    RECALL_ASSIGN(known, ReadLog(repository, what, visit, &error));
    if (!known) return Fail(Status::IoError("cannot read the commits: " + error));
  }
  std::reverse(commits.begin(), commits.end());
  std::stable_sort(commits.begin(), commits.end(),
                   [](const GitCommit& a, const GitCommit& b) { return a.at < b.at; });
  return commits;
}

Result<std::vector<GitCommit>> CommitsThatChanged(const GitRepository& repository,
                                                  const std::string& path, int64_t most) {
  std::vector<GitCommit> commits;
  if (repository.head.empty() || path.empty()) return commits;
  std::string error;
  const std::vector<std::string> what = {"--no-merges", "--full-diff",
                                         "--max-count=" + std::to_string(most), "HEAD"};
  const auto visit = [&](GitCommit commit) { commits.push_back(std::move(commit)); };
  RECALL_ASSIGN(const bool known, ReadLog(repository, what, visit, &error, path));
  if (!known) return Fail(Status::IoError("cannot read the commits: " + error));
  return commits;
}

bool IsSameEmail(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace recall

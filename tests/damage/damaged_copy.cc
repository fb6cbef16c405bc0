#include "tests/damage/damaged_copy.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "storage/base/check.h"
#include "tests/fault/child_process.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStoreSuffixes[] = {"", "-wal", "-shm", "-journal"};
constexpr uint64_t kMemory = uint64_t{1} << 30;
constexpr unsigned kSeconds = 10;
// How many damaged copies one process tests, because each may leave state in it. Fewer if the file
// is truncated, because each copy then is a new file whose mapping stays.
constexpr size_t kFlips = 500;
constexpr size_t kCuts = 50;

std::string ReadStoreFile(const std::string& path) {
  std::string bytes(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

// Keeps the inode, so that a mapping of the file remains usable. A file of the same size is not
// truncated, because allocating its pages again takes longer than writing them.
void Overwrite(const std::string& path, const std::string& bytes) {
  std::error_code missing;
  const bool same_size = fs::file_size(path, missing) == bytes.size();
  std::ofstream(path, std::ios::binary | (same_size ? std::ios::in : std::ios::trunc)) << bytes;
}

}  // namespace

bool IsCleanRefusal(StatusCode code) {
  return code == StatusCode::kCorruption || code == StatusCode::kUnsupported ||
         code == StatusCode::kIoError || code == StatusCode::kLimitExceeded ||
         code == StatusCode::kInvalidArgument;
}

namespace {

// Not found and expired are answers, which may be wrong, and not errors.
bool IsAnswer(StatusCode code) {
  return code == StatusCode::kOk || code == StatusCode::kNotFound || code == StatusCode::kExpired;
}

std::string Name(const Damage& damage) {
  std::ostringstream out;
  out << (damage.file.empty() ? "main" : damage.file) << " byte " << damage.at
      << (damage.mask == 0 ? " is the end" : " xor ")
      << (damage.mask == 0 ? "" : std::to_string(damage.mask));
  return out.str();
}

enum class Verdict : char {
  kSame = 's',
  kRefused = 'r',
  kOther = 'o',
  kUnseen = 'u',
  kWrong = 'w'
};

Verdict Compare(const Answers& whole, const Answers& damaged, std::string* detail) {
  Verdict verdict = Verdict::kSame;
  for (size_t i = 0; i < damaged.size(); ++i) {
    const Answer& answer = damaged[i];
    if (!IsAnswer(answer.status.code())) {
      if (!IsCleanRefusal(answer.status.code()) || answer.status.message().empty()) {
        *detail = answer.status.ToString();
        return Verdict::kWrong;
      }
      if (verdict == Verdict::kSame) verdict = Verdict::kRefused;
      continue;
    }
    const bool same = i < whole.size() && answer.status.code() == whole[i].status.code() &&
                      answer.text == whole[i].text;
    if (same) continue;
    verdict = Verdict::kOther;
    *detail = "answer " + std::to_string(i);
  }
  return verdict;
}

// One line for each damage: its verdict and a detail.
std::string TryOne(const Sweep& sweep, const std::vector<Answers>& right, const Damage& damage) {
  FileBytes files = sweep.files;
  std::string& bytes = files[damage.file];
  if (damage.mask == 0) {
    bytes.resize(damage.at);
    // A truncated file gets a new inode, because truncating the old one would break mappings of it.
    fs::remove(sweep.path + damage.file);
  } else {
    bytes[damage.at] = static_cast<char>(bytes[damage.at] ^ damage.mask);
  }
  WriteFiles(sweep.path, files);
  ::alarm(kSeconds);
  const Answers answers = sweep.ask(sweep.path);
  std::string detail;
  Verdict best = Verdict::kWrong;
  for (const Answers& each : right) {
    const Verdict verdict = Compare(each, answers, &detail);
    if (&each == right.data() || verdict == Verdict::kSame || verdict == Verdict::kRefused) {
      best = verdict;
    }
    if (best == Verdict::kSame || best == Verdict::kRefused) break;
  }
  if (best == Verdict::kOther && sweep.recheck) {
    WriteFiles(sweep.path, files);
    if (sweep.recheck(sweep.path).empty()) best = Verdict::kUnseen;
  }
  ::alarm(0);
  std::ranges::replace(detail, '\n', ' ');
  return std::string(1, static_cast<char>(best)) + detail + "\n";
}

void Take(const Damage& damage, const std::string& line, SweepCount& count) {
  ++count.tried;
  if (line[0] == 'x') return;
  switch (static_cast<Verdict>(line[0])) {
    case Verdict::kSame:
      ++count.same;
      return;
    case Verdict::kRefused:
      ++count.refused;
      return;
    case Verdict::kUnseen:
      ++count.unseen;
      count.unseen_at.push_back(Name(damage) + ": " + line.substr(1));
      [[fallthrough]];
    case Verdict::kOther:
      ++count.other;
      return;
    case Verdict::kWrong:
      count.wrong.push_back(Name(damage) + ": " + line.substr(1));
      return;
  }
}

}  // namespace

void PutFilesInMemory() {
  if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
}

FileBytes ReadFiles(const std::string& path) {
  FileBytes files;
  for (const char* suffix : kStoreSuffixes) {
    if (std::string_view(suffix) != "-shm" && fs::exists(path + suffix)) {
      files[suffix] = ReadStoreFile(path + suffix);
    }
  }
  return files;
}

void WriteFiles(const std::string& path, const FileBytes& files) {
  for (const char* suffix : kStoreSuffixes) {
    const auto found = files.find(suffix);
    found == files.end() ? void(fs::remove(path + suffix))
                         : Overwrite(path + suffix, found->second);
  }
}

SweepCount RunSweep(const Sweep& sweep, const std::vector<Damage>& damages) {
  SweepCount count;
  std::set<size_t> fatal;
  // The current damage of the child, in shared memory, because the child may crash.
  auto* const at = static_cast<size_t*>(
      ::mmap(nullptr, sizeof(size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (size_t begin = 0; begin < damages.size();) {
    const size_t batch = damages[begin].mask == 0 ? kCuts : kFlips;
    const size_t end = std::min(begin + batch, damages.size());
    *at = begin;
    const ChildOutcome outcome = RunInChild([&] {
      LimitMemory(kMemory);
      WriteFiles(sweep.path, sweep.files);
      std::vector<Answers> right = {sweep.ask(sweep.path)};
      if (!sweep.also_right.empty()) {
        WriteFiles(sweep.path, sweep.also_right);
        right.push_back(sweep.ask(sweep.path));
      }
      for (const Answers& each : right) {
        // Otherwise every damaged copy would be as good as the file itself.
        for (const Answer& answer : each) RECALL_CHECK(answer.status.ok());
      }
      std::string lines;
      for (size_t i = begin; i < end; ++i) {
        *at = i;
        lines += fatal.contains(i) ? "x\n" : TryOne(sweep, right, damages[i]);
      }
      return lines;
    });
    if (outcome.exit_code != 0) {
      count.wrong.push_back(Name(damages[*at]) + ": " + Describe(outcome) + " " + outcome.output);
      if (!fatal.insert(*at).second) break;  // the same damage failed twice: give up
      continue;
    }
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line); ++begin) Take(damages[begin], line, count);
  }
  ::munmap(at, sizeof(size_t));
  return count;
}

namespace {

std::vector<Damage> AboutSo(const std::vector<Damage>& all, size_t many) {
  if (many == 0 || all.size() <= many) return all;
  std::vector<Damage> some;
  for (size_t i = 0; i < many; ++i) some.push_back(all[i * all.size() / many]);
  return some;
}

}  // namespace

std::vector<Damage> FlippedBytes(const FileBytes& files, size_t step, size_t most) {
  std::vector<Damage> all;
  size_t zeros = 0;
  for (const auto& [suffix, bytes] : files) {
    for (size_t at = 0; at < bytes.size(); ++at) {
      if (bytes[at] == 0 && ++zeros % step != 0) continue;
      // One bit, all bits or half of them, so that bytes get different errors.
      const uint8_t masks[] = {static_cast<uint8_t>(1u << (at % 8)), 0xff, 0x55};
      all.push_back({suffix, at, masks[(at / 8) % 3]});
    }
  }
  return AboutSo(all, most);
}

std::vector<Damage> CutEnds(const FileBytes& files, const std::string& file, size_t step,
                            size_t most) {
  std::vector<Damage> all;
  size_t zeros = 0;
  const std::string& bytes = files.at(file);
  for (size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] != 0 || ++zeros % step == 0) all.push_back({file, at, 0});
  }
  return AboutSo(all, most);
}

}  // namespace recall

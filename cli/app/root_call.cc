#include "cli/app/root_call.h"

#include <algorithm>
#include <array>

#include "cli/commands/commands.h"
#include "cli/options/flags/other_words.h"
#include "storage/base/alignment_distance.h"

namespace recall {
namespace {

using Args = std::vector<std::string>;

constexpr size_t kShortestMisspelt = 4;  // letters of a command; below, too many words are near one
constexpr std::array<std::string_view, 5> kSessionFlags = {"--file", "--commit", "--author",
                                                           "--actor", "--checkpoint"};

std::string NameOfFlag(const std::string& arg) { return arg.substr(0, arg.find('=')); }

bool IsFlag(const std::string& arg) { return arg.size() > 1 && arg[0] == '-' && arg != "--"; }

// The indexes of the words of a command line, given the flags of its command.
std::vector<size_t> WordsOf(const Args& args, const std::vector<FlagSet::Entry>& entries) {
  std::vector<size_t> words;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--") {
      while (++i < args.size()) words.push_back(i);
    } else if (!IsFlag(args[i])) {
      words.push_back(i);
    } else if (args[i].find('=') == std::string::npos) {
      i += std::any_of(entries.begin(), entries.end(), [&](const FlagSet::Entry& entry) {
        return !entry.value.empty() && HasSpelling(entry, args[i]);
      });
    }
  }
  return words;
}

bool HasSessionFlag(const Args& args) {
  const auto end = std::find(args.begin(), args.end(), "--");
  return std::any_of(args.begin(), end, [](const std::string& arg) {
    return std::ranges::find(kSessionFlags, NameOfFlag(arg)) != kSessionFlags.end();
  });
}

// The command that was probably meant; "" if the word is not like one.
std::string CommandMeantBy(const std::string& word) {
  for (const std::string& name : CommandNames()) {
    if (name.size() < kShortestMisspelt) continue;
    if (AlignmentDistance<char>(word, name) == 1) return name;
  }
  return OtherWordForCommand(word);
}

}  // namespace

std::optional<RootCall> ReadRootCall(const Args& args, bool sessions) {
  const bool asks_for_sessions = HasSessionFlag(args);
  RootCall call;
  call.command = sessions || asks_for_sessions ? &kSessionsCommand : &kSearchCommand;
  const std::vector<size_t> words = WordsOf(args, EntriesOf(*call.command));
  if (words.empty() && !asks_for_sessions) return std::nullopt;
  for (const size_t word : words) call.words += (call.words.empty() ? "" : " ") + args[word];
  if (words.empty()) return call;
  // Behind `--` there are only words.
  if (std::find(args.begin(), args.begin() + static_cast<ptrdiff_t>(words[0]), "--") !=
      args.begin() + static_cast<ptrdiff_t>(words[0])) {
    return call;
  }
  const std::string& first = args[words[0]];
  if (FindCommand(first) != nullptr) return std::nullopt;
  call.meant = CommandMeantBy(first);
  if (!call.meant.empty()) call.first_word = first;
  call.is_other_name = !OtherWordForCommand(first).empty();
  return call;
}

}  // namespace recall

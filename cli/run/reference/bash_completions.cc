// Completion for bash 3.2 and later, without the bash-completion package. For file names the
// function offers nothing, so that readline completes them with its own rules for quotes and '~'.

#include "cli/run/reference/completions.h"

namespace recall {
namespace {

// Determines the command, and the flag whose value is being completed.
constexpr std::string_view kFindPlace = R"bash(
# Offers these words, and no files. compgen expands them as the shell does: constants only.
_recall_offer() {
  compopt +o default +o bashdefault 2>/dev/null
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

# Offers these lines of data, and no files. readline inserts what it gets, so each is quoted.
_recall_offer_lines() {
  local line
  compopt +o default +o bashdefault 2>/dev/null
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line ]] || continue
    printf -v line %q "$line"
    [[ $line == "$cur"* ]] && COMPREPLY+=("$line")
  done <<<"$1"
  return 0
}

_recall() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local verb='' dashes='' flags='' words='' files='' i
  # --color=al arrives as three words.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) dashes=1 prev='' ;;
      @VALUE_FLAGS@)
        [[ $verb ]] && continue
        [[ ${COMP_WORDS[i + 1]-} == = ]] && ((++i))
        ((++i))
        ;;
      -*) ;;
      *) [[ $verb ]] || verb=${COMP_WORDS[i]} ;;
    esac
  done
)bash";

constexpr std::string_view kOffer = R"bash(
  if [[ $cur == -* && ! $dashes ]]; then
    _recall_offer "$flags"
  elif [[ ! $files ]]; then
    _recall_offer "$words"
  fi
}

complete -o bashdefault -o default -F _recall recall
)bash";

std::vector<std::string> AllSpellings(const std::vector<FlagSet::Entry>& entries) {
  std::vector<std::string> all;
  for (const FlagSet::Entry& entry : entries) {
    if (entry.is_argument()) continue;
    for (std::string& spelling : Spellings(entry)) all.push_back(std::move(spelling));
  }
  return all;
}

// The branches for values of flags. `verb` is the name of a command, or '*' for any.
std::string ValueBranches(const std::string& verb, const std::vector<FlagSet::Entry>& entries) {
  std::string branches;
  for (const FlagSet::Entry& entry : entries) {
    const ValueKind kind = ValueKindOf(entry);
    if (entry.is_argument() || kind == ValueKind::kNone) continue;
    std::vector<std::string> patterns;
    for (const std::string& spelling : Spellings(entry)) {
      patterns.push_back(verb == "*" ? "*' " + spelling + "'" : "'" + verb + " " + spelling + "'");
    }
    branches += "    " + Join(patterns, " | ") + ")";
    if (!entry.suggesting_command.empty()) {
      branches += " _recall_offer_lines \"$(" + entry.suggesting_command + ")\";";
    } else if (kind != ValueKind::kFiles) {
      branches += " _recall_offer '" + Join(OfferedValues(entry), " ") + "';";
    }
    branches += " return ;;\n";
  }
  return branches;
}

std::string CommandBranch(const CommandReference& command) {
  std::string branch = "    " + std::string(command.info->name) + ")";
  const std::vector<std::string> flags = AllSpellings(command.entries);
  if (!flags.empty()) branch += " flags='" + Join(flags, " ") + " '";
  if (const FlagSet::Entry* argument = FindArgument(command)) {
    if (ValueKindOf(*argument) == ValueKind::kFiles) branch += " files=1";
    const std::vector<std::string>& words = OfferedValues(*argument);
    if (!words.empty()) branch += " words='" + Join(words, " ") + "'";
  }
  return branch + " ;;\n";
}

}  // namespace

namespace internal {

std::string BashCompletions(const ProgramReference& program) {
  std::vector<std::string> verbs;
  std::string values;
  std::string commands;
  for (const CommandReference& command : program.commands) {
    verbs.emplace_back(command.info->name);
    values += ValueBranches(verbs.back(), command.entries);
    commands += CommandBranch(command);
  }
  std::vector<std::string> value_flags;
  for (const FlagSet::Entry& entry : program.globals) {
    if (!entry.value.empty()) value_flags.push_back(Join(Spellings(entry), " | "));
  }
  constexpr std::string_view kMark = "@VALUE_FLAGS@";
  std::string script = "# bash completion for recall; made by `recall completions bash`.\n";
  script += kFindPlace;
  script.replace(script.find(kMark), kMark.size(), Join(value_flags, " | "));
  script += "  case \"$verb $prev\" in\n" + values + ValueBranches("*", program.globals);
  script += "  esac\n  case $verb in\n    '') words='" + Join(verbs, " ") + "' ;;\n" + commands;
  script += "  esac\n  flags+='" + Join(AllSpellings(program.globals), " ") + "'";
  script += kOffer;
  return script;
}

}  // namespace internal
}  // namespace recall

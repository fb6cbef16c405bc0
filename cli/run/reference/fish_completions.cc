// Completion for fish 3.0 and later.

#include "cli/run/reference/completions.h"

namespace recall {
namespace {

std::string FishQuoted(std::string_view text) { return "'" + Escaped(text, "'\\", "\\") + "'"; }

// " -s k -l k"
std::string Names(const FlagSet::Entry& entry) {
  std::string names;
  for (const std::string& spelling : Spellings(entry)) {
    names += spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
  }
  return names;
}

std::string FishValues(const FlagSet::Entry& entry) {
  switch (ValueKindOf(entry)) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kText:
      if (entry.suggesting_command.empty()) return " -x";  // no files
      return " -x -a " + FishQuoted("(" + entry.suggesting_command + ")");
    case ValueKind::kFiles:
      return " -r -F";
    case ValueKind::kOneOfFew:
      return " -x -a " + FishQuoted(Join(OfferedValues(entry), " "));
  }
  return "";
}

std::string FlagLine(const std::string& condition, const FlagSet::Entry& entry) {
  return "complete -c recall" + condition + Names(entry) + FishValues(entry) + " -d " +
         FishQuoted(entry.help) + "\n";
}

std::string ArgumentLine(const std::string& condition, const FlagSet::Entry& entry) {
  const std::string start = "complete -c recall" + condition;
  if (ValueKindOf(entry) == ValueKind::kFiles) return start + " -F\n";
  if (OfferedValues(entry).empty()) return "";
  return start + " -a " + FishQuoted(Join(OfferedValues(entry), " ")) + "\n";
}

// A fish function that prints the command of the line, and fails if there is none yet.
std::string FindVerb(const ProgramReference& program) {
  std::vector<std::string> value_flags;
  for (const FlagSet::Entry& entry : program.globals) {
    if (!entry.value.empty()) value_flags.push_back(Join(Spellings(entry), " "));
  }
  return "function __recall_command\n"
         "    set -l skip\n"
         "    set -l words (commandline -opc)\n"
         "    set -e words[1]\n"
         "    for word in $words\n"
         "        if test -n \"$skip\"\n"
         "            set skip\n"
         "            continue\n"
         "        end\n"
         "        switch $word\n"
         "            case " +
         Join(value_flags, " ") +
         "\n"
         "                set skip 1\n"
         "            case '-*'\n"
         "            case '*'\n"
         "                echo $word\n"
         "                return 0\n"
         "        end\n"
         "    end\n"
         "    return 1\n"
         "end\n";
}

}  // namespace

namespace internal {

std::string FishCompletions(const ProgramReference& program) {
  std::string script = "# fish completion for recall; made by `recall completions fish`.\n\n" +
                       FindVerb(program) +
                       "\nfunction __recall_is\n"
                       "    set -l verb (__recall_command); and test $verb = $argv[1]\n"
                       "end\n"
                       "\ncomplete -c recall -f\n";
  for (const FlagSet::Entry& entry : program.globals) script += FlagLine("", entry);
  for (const CommandReference& command : program.commands) {
    const std::string name(command.info->name);
    const std::string condition = " -n '__recall_is " + name + "'";
    script += "\ncomplete -c recall -n 'not __recall_command >/dev/null' -a " + name + " -d " +
              FishQuoted(command.info->summary) + "\n";
    for (const FlagSet::Entry& entry : command.entries) {
      script += entry.is_argument() ? ArgumentLine(condition, entry) : FlagLine(condition, entry);
    }
  }
  return script;
}

}  // namespace internal
}  // namespace recall

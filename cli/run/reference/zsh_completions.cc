// Completion for zsh, in the specification language of _arguments:
// `'(-k --k)'{-k+,--k=}'[help]:N:()'`. See zshcompsys(1).

#include "cli/run/reference/completions.h"

namespace recall {
namespace {

// Escapes text for single quotes.
std::string ZshQuoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted;
}

// The ":message:action" part for the value of a flag or for an argument.
std::string Action(const FlagSet::Entry& entry) {
  const std::string& name = entry.is_argument() ? entry.name : entry.value;
  switch (ValueKindOf(entry)) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kFiles:
      return ":" + name + ":_files";
    case ValueKind::kOneOfFew:
      return ":" + std::string(entry.is_argument() ? name : "value") + ":(" +
             Join(OfferedValues(entry), " ") + ")";
    case ValueKind::kText:
      if (!entry.suggesting_command.empty()) {
        return ":" + name + ":{compadd -- ${(f)\"$(" + entry.suggesting_command + ")\"}}";
      }
      return ":" + name + ":()";
  }
  return "";
}

std::string FlagSpec(const FlagSet::Entry& entry) {
  const std::vector<std::string> spellings = Spellings(entry);
  std::vector<std::string> forms;
  for (const std::string& spelling : spellings) {
    const std::string_view value_follows = spelling.starts_with("--") ? "=" : "+";
    forms.push_back(spelling + std::string(entry.value.empty() ? "" : value_follows));
  }
  const std::string rest =
      "[" + ZshQuoted(Escaped(entry.help, "[]:\\", "\\")) + "]" + ZshQuoted(Action(entry));
  if (entry.repeatable) return "'*'" + Join(forms, "") + "'" + rest + "'";
  if (forms.size() == 1) return "'" + forms[0] + rest + "'";
  return "'(" + Join(spellings, " ") + ")'{" + Join(forms, ",") + "}'" + rest + "'";
}

std::string ArgumentSpec(const FlagSet::Entry& entry) {
  return "'" + std::string(entry.repeatable ? "*" : "1") + ZshQuoted(Action(entry)) + "'";
}

std::string Specs(const std::vector<FlagSet::Entry>& entries, std::string_view indent) {
  std::string specs;
  for (const FlagSet::Entry& entry : entries) {
    specs += std::string(indent) + (entry.is_argument() ? ArgumentSpec(entry) : FlagSpec(entry));
  }
  return specs;
}

}  // namespace

namespace internal {

std::string ZshCompletions(const ProgramReference& program) {
  std::string verbs;
  std::string branches;
  for (const CommandReference& command : program.commands) {
    const std::string name(command.info->name);
    verbs +=
        "        '" + name + ":" + ZshQuoted(Escaped(command.info->summary, ":\\", "\\")) + "'\n";
    branches += "        " + name + ")\n          _arguments -S $everywhere" +
                Specs(command.entries, " \\\n            ") + " && ret=0\n          ;;\n";
  }
  return "#compdef recall\n"
         "# zsh completion for recall; made by `recall completions zsh`.\n"
         "\n"
         "_recall() {\n"
         "  local curcontext=$curcontext state state_descr line ret=1\n"
         "  typeset -A opt_args\n"
         "  local -a everywhere=(" +
         Specs(program.globals, "\n    ") +
         "\n  )\n"
         "  _arguments -C $everywhere ': :->command' '*:: :->rest' && ret=0\n"
         "  case $state in\n"
         "    command)\n"
         "      local -a commands=(\n" +
         verbs +
         "      )\n"
         "      _describe -t commands command commands && ret=0\n"
         "      ;;\n"
         "    rest)\n"
         "      case $words[1] in\n" +
         branches +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "  return ret\n"
         "}\n"
         "\n"
         "# Read from a directory of $fpath this is the function's body; sourced it defines one.\n"
         "if [[ $funcstack[1] == _recall ]]; then\n"
         "  _recall \"$@\"\n"
         "else\n"
         "  compdef _recall recall\n"
         "fi\n";
}

}  // namespace internal
}  // namespace recall

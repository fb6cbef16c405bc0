// Completion for elvish 0.18 and later: data from the flag table, and one function that reads it.

#include "cli/run/reference/completions.h"

namespace recall {
namespace {

std::string ElvishQuoted(std::string_view text) { return "'" + Escaped(text, "'", "'") + "'"; }

// "['--k' 'results']"
std::string Pair(std::string_view text, std::string_view help) {
  return "[" + ElvishQuoted(text) + " " + ElvishQuoted(help) + "]";
}

std::string FlagPairs(const std::vector<FlagSet::Entry>& entries) {
  std::string pairs;
  for (const FlagSet::Entry& entry : entries) {
    if (entry.is_argument()) continue;
    for (const std::string& spelling : Spellings(entry)) {
      pairs += "\n      " + Pair(spelling, entry.help);
    }
  }
  return pairs;
}

// The choices of a value, or the word `files`.
std::string ElvishValues(const FlagSet::Entry& entry) {
  if (ValueKindOf(entry) == ValueKind::kFiles) return "files";
  std::vector<std::string> choices;
  for (const std::string& choice : OfferedValues(entry)) choices.push_back(ElvishQuoted(choice));
  return "[" + Join(choices, " ") + "]";
}

std::string ElvishValueRows(std::string_view verb, const std::vector<FlagSet::Entry>& entries) {
  std::string rows;
  for (const FlagSet::Entry& entry : entries) {
    if (entry.value.empty()) continue;
    for (const std::string& spelling : Spellings(entry)) {
      rows +=
          "\n    &" + ElvishQuoted(std::string(verb) + " " + spelling) + "=" + ElvishValues(entry);
    }
  }
  return rows;
}

constexpr std::string_view kElvishComplete = R"elvish(
  fn offer {|pairs|
    for pair $pairs {
      edit:complex-candidate $pair[0] &display=$pair[0]' ('$pair[1]')'
    }
  }
  fn offer-values {|kind|
    if (eq $kind files) {
      edit:complete-filename $words[-1]
    } else {
      all $kind
    }
  }

  var verb = ''
  var previous = ''
  var dashes = $false
  var skip = $false
  for word $words[1..-1] {
    set previous = $word
    if $skip {
      set skip = $false
    } elif (eq $word '--') {
      set dashes = $true
    } elif (eq $verb '') {
      if (has-key $values ' '$word) {
        set skip = $true
      } elif (not (str:has-prefix $word '-')) {
        set verb = $word
      }
    }
  }
  var place = ' '$previous
  if (has-key $values $verb' '$previous) {
    set place = $verb' '$previous
  }
  if (and (not $dashes) (has-key $values $place)) {
    offer-values $values[$place]
  } elif (and (not $dashes) (str:has-prefix $words[-1] '-')) {
    offer $flags['']
    if (and (not-eq $verb '') (has-key $flags $verb)) {
      offer $flags[$verb]
    }
  } elif (eq $verb '') {
    offer $commands
  } elif (has-key $arguments $verb) {
    offer-values $arguments[$verb]
  }
}
)elvish";

}  // namespace

namespace internal {

std::string ElvishCompletions(const ProgramReference& program) {
  std::string commands;
  std::string flags = "\n    &''=[" + FlagPairs(program.globals) + "\n    ]";
  std::string values = ElvishValueRows("", program.globals);
  std::string arguments;
  for (const CommandReference& command : program.commands) {
    const std::string name(command.info->name);
    commands += "\n    " + Pair(name, command.info->summary);
    flags += "\n    &" + ElvishQuoted(name) + "=[" + FlagPairs(command.entries) + "\n    ]";
    values += ElvishValueRows(name, command.entries);
    if (const FlagSet::Entry* argument = FindArgument(command)) {
      arguments += "\n    &" + ElvishQuoted(name) + "=" + ElvishValues(*argument);
    }
  }
  return "# elvish completion for recall; made by `recall completions elvish`.\n"
         "use str\n"
         "\n"
         "set edit:completion:arg-completer[recall] = {|@words|\n"
         "  var commands = [" +
         commands + "\n  ]\n  # Flags by command; those of every command have none.\n" +
         "  var flags = [" + flags + "\n  ]\n  # What a flag's value can be.\n" +
         "  var values = [" + values + "\n  ]\n  # What a command's arguments can be.\n" +
         "  var arguments = [" + arguments + "\n  ]\n" + std::string(kElvishComplete);
}

}  // namespace internal
}  // namespace recall

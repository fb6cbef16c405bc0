// Completion for PowerShell 5.1 and later: data from the flag table, and one script block that
// reads it. If the block offers nothing, PowerShell completes file names.

#include "cli/run/reference/completions.h"

namespace recall {
namespace {

std::string PowerShellQuoted(std::string_view text) { return "'" + Escaped(text, "'", "'") + "'"; }

std::string PowerShellRow(std::string_view key, const std::string& value) {
  return "        " + PowerShellQuoted(key) + " = " + value + "\n";
}

std::string FlagTable(const std::vector<FlagSet::Entry>& entries) {
  std::string table = "[ordered]@{";
  for (const FlagSet::Entry& entry : entries) {
    if (entry.is_argument()) continue;
    for (const std::string& spelling : Spellings(entry)) {
      table += "\n            " + PowerShellQuoted(spelling) + " = " + PowerShellQuoted(entry.help);
    }
  }
  return table + "\n        }";
}

// The choices of a value. Nothing is offered for free text or for files, which PowerShell
// completes.
std::string PowerShellValues(const FlagSet::Entry& entry) {
  std::vector<std::string> choices;
  for (const std::string& choice : OfferedValues(entry))
    choices.push_back(PowerShellQuoted(choice));
  return "@(" + Join(choices, ", ") + ")";
}

std::string PowerShellValueRows(std::string_view verb, const std::vector<FlagSet::Entry>& entries) {
  std::string rows;
  for (const FlagSet::Entry& entry : entries) {
    if (entry.value.empty()) continue;
    for (const std::string& spelling : Spellings(entry)) {
      rows += PowerShellRow(std::string(verb) + " " + spelling, PowerShellValues(entry));
    }
  }
  return rows;
}

constexpr std::string_view kPowerShellComplete = R"powershell(
    $verb = ''
    $previous = ''
    $dashes = $false
    $skip = $false
    $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    foreach ($word in $typed) {
        $previous = $word
        if ($skip) { $skip = $false }
        elseif ($word -eq '--') { $dashes = $true }
        elseif ($verb -eq '' -and $values.ContainsKey(' ' + $word)) { $skip = $true }
        elseif ($verb -eq '' -and -not $word.StartsWith('-')) { $verb = $word }
    }
    $place = ' ' + $previous
    if ($values.ContainsKey($verb + $place)) { $place = $verb + $place }

    $offered = [ordered]@{}
    if (-not $dashes -and $values.ContainsKey($place)) {
        foreach ($value in $values[$place]) { $offered[$value] = $value }
    }
    elseif (-not $dashes -and $wordToComplete.StartsWith('-')) {
        foreach ($flag in $flags[''].GetEnumerator()) { $offered[$flag.Key] = $flag.Value }
        if ($verb -ne '' -and $flags.ContainsKey($verb)) {
            foreach ($flag in $flags[$verb].GetEnumerator()) { $offered[$flag.Key] = $flag.Value }
        }
    }
    elseif ($verb -eq '') { $offered = $commands }
    else {
        foreach ($value in $arguments[$verb]) { $offered[$value] = $value }
    }
    $offered.GetEnumerator() | Where-Object { $_.Key -like "$wordToComplete*" } | ForEach-Object {
        [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value)
    }
}
)powershell";

}  // namespace

namespace internal {

std::string PowerShellCompletions(const ProgramReference& program) {
  std::string commands;
  std::string flags = PowerShellRow("", FlagTable(program.globals));
  std::string values = PowerShellValueRows("", program.globals);
  std::string arguments;
  for (const CommandReference& command : program.commands) {
    const std::string name(command.info->name);
    commands += PowerShellRow(name, PowerShellQuoted(command.info->summary));
    flags += PowerShellRow(name, FlagTable(command.entries));
    values += PowerShellValueRows(name, command.entries);
    if (const FlagSet::Entry* argument = FindArgument(command)) {
      arguments += PowerShellRow(name, PowerShellValues(*argument));
    }
  }
  return "# PowerShell completion for recall; made by `recall completions powershell`.\n"
         "Register-ArgumentCompleter -Native -CommandName 'recall' -ScriptBlock {\n"
         "    param($wordToComplete, $commandAst, $cursorPosition)\n"
         "    $commands = [ordered]@{\n" +
         commands + "    }\n    # Flags by command; those of every command have none.\n" +
         "    $flags = @{\n" + flags + "    }\n    # What a flag's value can be.\n" +
         "    $values = @{\n" + values + "    }\n    # What a command's arguments can be.\n" +
         "    $arguments = @{\n" + arguments + "    }\n" + std::string(kPowerShellComplete);
}

}  // namespace internal
}  // namespace recall

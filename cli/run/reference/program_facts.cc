#include "cli/run/reference/program_facts.h"

namespace recall {
namespace {

constexpr NamedFact kEnvironment[] = {
    {"RECALL_STORE", "the store, as --store"},
    {"RECALL_CONFIG", "a configuration file, as --config"},
    {"RECALL_STABLE=1", "as --stable"},
    {"RECALL_OUTPUT=lean", "as --lean, for search, similar and query"},
    {"RECALL_JSON=pretty", "indent JSON in pipes, too"},
    {"RECALL_SERVE=never", "as --no-serve"},
    {"RECALL_SERVE=start", "start a server that answers the next searches"},
    {"RECALL_THREADS, ...", "any key of recall.toml in capitals"},
    {"RECALL_SIMD", "use this SIMD target (recall version --verbose)"},
    {"RECALL_FTS=sqlite", "leave FTS5's tables to FTS5: slower, same answers"},
    {"NO_COLOR", "no colour and no hyperlinks"},
    {"RECALL_PAGER, PAGER", "the pager of long answers on a terminal (less)"},
    {"VISUAL, EDITOR", "the editor of `browse`"},
    {"XDG_STATE_HOME", "directory of recall/: history, drafts (`browse`), runs (~/.local/state)"},
    {"TMPDIR", "directory of the temporary stores of `eval` (/tmp)"},
};

constexpr NamedFact kFiles[] = {
    {"recall.db", "the store: one file, looked for here and in the directories above"},
    {"recall.toml", "settings beside the store"},
    {"~/.config/recall/recall.toml", "the user's own settings"},
    {".gitignore .recallignore", "patterns of files that `add` skips"},
};

}  // namespace

const std::string_view kProgramDescription =
    "Recall keeps the text of documents in one file and finds the passages that answer a question, "
    "by lexical and semantic search. It packs them into a token budget with citations, "
    "filters them exactly, and gives the same answer for the same question, byte for byte. It runs "
    "on this machine and needs no network.\n";

std::span<const NamedFact> EnvironmentFacts() { return kEnvironment; }

std::span<const NamedFact> FileFacts() { return kFiles; }

}  // namespace recall

#include "cli/commands/commands.h"
#include "cli/commands/hits_output.h"
#include "cli/commands/search_flags.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

class SearchCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    search_.Declare(flags);
    flags.Choice("--identical", &identical_, {"fold", "list", "keep"},
                 "chunks with the same text: one result (fold), with their places, or each");
    page_.Declare(flags, globals);
  }

  Status Check(const GlobalFlags& globals) override {
    RECALL_TRY(page_.Check(globals, search_.explain()));
    return search_.Read();
  }

  Result<ExitCode> Run(Session& session) override {
    const int64_t start = SteadyMicros();
    SearchRequest request = search_.MakeRequest(session.config);
    if (identical_ != "fold") {
      request.identical = identical_ == "list" ? IdenticalChunks::kList : IdenticalChunks::kKeep;
    }
    RECALL_TRY(page_.Apply(session.config, session.lean(), &request));
    RECALL_ASSIGN(const SearchResponse found, session.database->Search(request));
    const Question question = Question::OfPage(request);
    const bool explain = search_.explain();
    if (session.json()) {
      RECALL_TRY(
          SendHits(session, question, found, {explain, page_.fields()}, SteadyMicros() - start));
    } else {
      RECALL_TRY(PrintHits(session, question, found, {explain, page_.fields(), page_.fzf()}));
    }
    return ExitCode::kDone;
  }

 private:
  SearchFlags search_;
  PageFlags page_;
  std::string identical_ = "fold";
};

}  // namespace

const CommandInfo kSearchCommand = {
    "search",
    "[OPTIONS] QUERY...",
    "find the chunks that answer a question",
    "  recall search how are segments merged\n"
    "  recall search '\"write ahead log\" -sqlite checkpoint*'\n"
    "  recall search --json -k 20 retry policy | jq '.results[].doc.path'\n"
    "  recall search --filter \"doc.path GLOB 'docs/**'\" release process\n"
    "  git diff | recall search -           the query from stdin\n"
    "  recall search -- -Wconversion        a query that starts with '-'\n",
    "Terms are joined by OR and ranked; \"a phrase\" must match exactly, +word is required, -word "
    "is\n"
    "excluded, pre* is a prefix, OR joins phrases. Any text is a valid query.\n"
    "Scores are between 0 and 1. Without hits the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new SearchCommand); }};

}  // namespace recall

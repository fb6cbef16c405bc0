#include "cli/commands/commands.h"
#include "cli/commands/hits_output.h"
#include "cli/commands/search_flags.h"
#include "cli/compat/shapes/compat_shape.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr int64_t kResults = 8;  // without a flag, a view or a shape that say how many

class SearchCommand final : public Command {
 public:
  StoreAccess access() const override { return search_.sources().access(); }

  void Declare(FlagSet& flags, GlobalFlags& globals) override {
    search_.Declare(flags);
    flags.Choice("--identical", &identical_, {"fold", "list", "keep"},
                 "chunks with the same text: one result (fold), with their places, or each");
    flags.Choice("--places", &places_, {"fold", "keep"},
                 "places of a file of code: one result with the best (fold), or each");
    page_.Declare(flags, globals);
    flags.Choice("--shape", &shape_name_, ShapeNames(), ShapeHelp());
    globals_ = &globals;
  }

  Status Check(const GlobalFlags& globals) override {
    if (!shape_name_.empty()) RECALL_TRY(CheckShape(globals));
    RECALL_TRY(page_.Check(globals, search_.explain()));
    return search_.Read();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const AskedView asked, search_.Ask(context.config));
    SearchRequest request = search_.MakeRequest(context, asked);
    if (identical_ != "fold") {
      request.identical = identical_ == "list" ? IdenticalChunks::kList : IdenticalChunks::kKeep;
    }
    request.fold_places = places_ == "fold";
    const CompatShape* const shape = FindShape(shape_name_);
    RECALL_TRY(
        page_.Apply(asked, context.lean(), &request, shape != nullptr ? shape->results : kResults));
    if (shape != nullptr) {
      RECALL_TRY(CheckFusion(*shape, context.config));
      RECALL_TRY(shape->apply(search_.has_min_score(), &request));
      request.evidence = page_.full_payload();
    }
    RECALL_TRY(search_.sources().Refresh(context));
    RECALL_ASSIGN(SearchResponse found, context.database->Search(request));
    if (context.take_hits) {
      context.take_hits(std::move(found));
      return ExitCode::kDone;
    }
    Question question = Question::OfPage(request);
    question.view = asked.view;
    const HitsForm form{search_.explain(), page_.fields(), page_.fzf(), page_.PayloadOf(asked.view),
                        page_.named()};
    if (shape != nullptr) {
      SearchResponse answer = found;
      answer.warnings.insert(answer.warnings.begin(), context.warnings.begin(),
                             context.warnings.end());
      context.SendObject([&](JsonWriter& json) {
        WriteShape(*shape, question, answer, page_.full_payload(), json);
      });
    } else if (context.json()) {
      RECALL_TRY(SendHits(context, question, found, form, SteadyMicros() - start));
    } else {
      RECALL_TRY(PrintHits(context, question, found, form));
    }
    return ExitCode::kDone;
  }

 private:
  Status CheckShape(const GlobalFlags& globals) const {
    if (search_.explain() || page_.other_form(globals)) {
      return Status::InvalidArgument(
          "--shape prints a JSON document of its own; it cannot be combined with --explain, "
          "--fields, --format, --jsonl or --lean");
    }
    globals_->lean = false;
    globals_->json = true;
    return {};
  }

  // Some programs have one fusion.
  static Status CheckFusion(const CompatShape& shape, const Config& config) {
    const auto origin = config.origins.find("fusion");
    const bool by_flag = origin != config.origins.end() && origin->second.starts_with("--");
    if (shape.fusion.empty() || !by_flag || config.fusion == shape.fusion) return {};
    return Status::InvalidArgument("--shape " + std::string(shape.name) + " needs --fusion " +
                                       std::string(shape.fusion) + ", not " + config.fusion,
                                   "omit --fusion");
  }

  SearchFlags search_;
  PageFlags page_;
  std::string identical_ = "fold";
  std::string places_ = "fold";
  std::string shape_name_;
  GlobalFlags* globals_ = nullptr;
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
    "  recall search -- -Wconversion        a query that starts with '-'\n",
    "Terms are joined by OR and ranked; \"a phrase\" must match exactly, +word is required, -word "
    "is\n"
    "excluded, pre* is a prefix, OR joins phrases. Any text is a valid query.\n"
    "Scores are between 0 and 1. Without hits the exit code is 0.\n",
    [] { return std::unique_ptr<Command>(new SearchCommand); }};

}  // namespace recall

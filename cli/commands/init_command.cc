#include <algorithm>
#include <filesystem>
#include <iterator>

#include "cli/commands/commands.h"
#include "cli/show/output/response.h"

namespace recall {
namespace {

constexpr std::string_view kNotesDirectory = "notes";
constexpr std::string_view kTextEndings[] = {".md", ".markdown", ".txt", ".rst", ".org", ".adoc"};

// Whether people keep texts in this directory, so that they and their programs expect notes to be
// files, too. A directory `notes` has a meaning of its own already.
bool HoldsTexts(const std::filesystem::path& directory) {
  std::error_code error;
  if (std::filesystem::exists(directory / kNotesDirectory, error) || error) return false;
  bool any = false;
  std::filesystem::directory_iterator entries(directory, error);
  for (const std::filesystem::directory_iterator end; !error && entries != end && !any;
       entries.increment(error)) {
    std::error_code unknown;
    const std::string name = entries->path().filename().string();
    const bool is_text = std::ranges::find(kTextEndings, entries->path().extension().string()) !=
                         std::end(kTextEndings);
    any = is_text && name.front() != '.' && entries->is_regular_file(unknown);
  }
  return any;
}

class InitCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATH", &target_, 0, 1,
                "the directory of the store (default: .), a name or an address");
    flags.Setting("--chunk-tokens", "chunk_tokens", "N", "maximum number of tokens in a chunk");
    flags.Setting("--overlap-tokens", "overlap_tokens", "N",
                  "number of tokens that consecutive chunks share");
    flags.Setting("--embedder", "embedding", "NAME",
                  "embedder: lsa, hash, or given (user-supplied embeddings)");
    flags.Suggest({"given", "hash", "lsa"});
    flags.Setting("--dim", "embedding_dim", "N", "dimensions of a vector; with lsa the maximum");
    flags.Text("--model", &model_of_, "STORE",
               "adopt and keep the LSA model of another store, named as in --store");
    flags.Setting("--ann-seed", "ann_seed", "N", "seed of the vector index");
  }

  Status Check(const GlobalFlags& globals) override {
    if (target_.empty() || !globals.store) return {};
    return Status::InvalidArgument("PATH and --store cannot be combined");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_ASSIGN(const StoreLocation place,
                  PlanStore(context.locate, Target(context), &context.warnings));
    const Config config = ResolveConfig(place.layers);
    RECALL_TRY(CheckConfig(config));
    CreateOptions options = CreateOptionsFrom(config);
    if (!IsServerAddress(place.path)) {
      RECALL_TRY(MakeDirectory(place.path));
      const auto directory = std::filesystem::path(place.path).parent_path();
      if (!config.IsSet("notes_dir") && HoldsTexts(directory)) options.notes_dir = kNotesDirectory;
    }
    if (model_of_) {
      RECALL_TRY(CheckTakenOver(context.locate.settings));
      RECALL_ASSIGN(options.model_of, LocateOther(context.locate, *model_of_));
    }
    const auto created = Database::Create(place.path, options);
    if (!created) return Fail(WhyNotCreated(place.path, created.error()));
    if (context.json()) {
      RECALL_ASSIGN(const StatsReport stats, (*created)->Stats());
      SendJson(context, place.path, options, stats);
    } else {
      context.PrintWarnings();
      if (context.flags.quiet) return ExitCode::kDone;
      context.out->Write("Created " + EscapeLine(place.path) + "\n");
      if (IsServerAddress(place.path)) return ExitCode::kDone;
      const auto config_path = std::filesystem::path(place.path).parent_path() / "recall.toml";
      context.out->Write("Optional config: " + EscapeLine(config_path.string()) + "\n");
      if (!options.notes_dir.empty()) {
        context.out->Write("Notes become files in " + options.notes_dir +
                           "/; `notes_dir = \"\"` in the config keeps them in the store\n");
      }
    }
    return ExitCode::kDone;
  }

 private:
  std::string Target(const CommandContext& context) const {
    if (!target_.empty()) return target_[0];
    return context.locate.store.empty() ? "." : context.locate.store;
  }

  // A flag for what is taken over from the other store would have no effect.
  static Status CheckTakenOver(const std::vector<FlagSetting>& flags) {
    for (const FlagSetting& flag : flags) {
      if (flag.key != "embedding_dim" && flag.key != "ann_seed") continue;
      return Status::InvalidArgument("--model takes over --dim and --ann-seed of the other store",
                                     "omit them");
    }
    return Status::Ok();
  }

  // A user who repeats `init` wants to go on, not to be told how to lose a store.
  static Status WhyNotCreated(const std::string& path, const Status& error) {
    const bool exists = error.code() == StatusCode::kAlreadyExists;
    if (!exists || !Database::Open(path, {.read_only = true})) return error;
    return Status::AlreadyExists(path + ": this is a store already",
                                 "`recall add` adds files to it");
  }

  static Status MakeDirectory(const std::string& store_path) {
    const auto directory = std::filesystem::path(store_path).parent_path();
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (!error) return {};
    return Status::IoError(
        "cannot create the directory " + directory.string() + ": " + error.message(),
        "check that you may write to its parent directory");
  }

  static void SendJson(CommandContext& context, const std::string& path,
                       const CreateOptions& options, const StatsReport& stats) {
    JsonResponse response;
    response.own_key = "store";
    response.own = [&](JsonWriter& json) {
      json.Field("path", path);
      json.Field("embedding", options.embedder);
      json.Field("embedding_dim", stats.dim);
      json.Field("chunk_tokens", options.chunk_tokens);
      json.Field("overlap_tokens", options.overlap_tokens);
      json.Field("ann_seed", stats.ann_seed);
      if (stats.shared_model) json.Field("shared_model", true);
      json.FieldOrNull("notes_dir", options.notes_dir);
    };
    context.Send(std::move(response));
  }

  std::vector<std::string> target_;
  std::optional<std::string> model_of_;
};

}  // namespace

const CommandInfo kInitCommand = {
    "init",
    "[OPTIONS] [PATH]",
    "create an empty store",
    "  recall init                     a store for this directory: ./recall.db\n"
    "  recall init notes               notes/recall.db; creates the directory\n"
    "  recall init /srv/team.db        a store with a name of its own\n"
    "  recall init --embedder given --dim 384 mine    for user-supplied embeddings\n"
    "  recall init --model /srv/team.db mine          ranks with the model of a large store\n",
    "The store records the chunk sizes permanently, and the embedder until `recall embed`.\n"
    "Defaults for new stores can be set in ~/.config/recall/recall.toml.\n",
    [] { return std::unique_ptr<Command>(new InitCommand); }};

}  // namespace recall

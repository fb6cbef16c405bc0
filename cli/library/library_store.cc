#include "cli/library/library_store.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/server/mcp/json_rpc.h"
#include "cli/server/serve/command_request.h"
#include "query/database/database.h"

namespace recall {
namespace {

// The commands that answer in JSON, ask nobody, and do all of their work in the store and the files
// that the request names.
// They are named here as objects: what the other commands need is not linked into the library.
constexpr std::array<const CommandInfo*, 30> kCommands = {
    &kSearchCommand, &kSessionsCommand, &kSimilarCommand, &kContextCommand, &kQueryCommand,
    &kGrepCommand,   &kSymbolsCommand,  &kMapCommand,     &kRelatedCommand, &kGetCommand,
    &kLsCommand,     &kStatsCommand,    &kLinksCommand,   &kStaleCommand,   &kAddCommand,
    &kRmCommand,     &kCompactCommand,  &kEmbedCommand,   &kSaveCommand,    &kLinkCommand,
    &kUnlinkCommand, &kUsedCommand,     &kReviewCommand,  &kRetireCommand,  &kSuggestCommand,
    &kImportCommand, &kMergeCommand,    &kExportCommand,  &kBackupCommand,  &kDoctorCommand};

// Of these, those that work on the file of the store, with all documents in it.
bool IsOfWholeFile(std::string_view command) { return command == "backup" || command == "doctor"; }

Result<const CommandInfo*> FindLibraryCommand(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &CommandInfo::name);
  if (found != kCommands.end()) return *found;
  std::string names;
  for (const CommandInfo* known : kCommands) {
    names += (names.empty() ? "" : ", ") + std::string(known->name);
  }
  return Fail(Status::InvalidArgument("there is no command '" + std::string(name) + "' here",
                                      "the commands are " + names));
}

// The flags of a command, which are the same for each call.
const std::vector<FlagSet::Entry>& KnownEntriesOf(const CommandInfo& command) {
  static std::mutex mutex;
  static std::map<std::string_view, std::vector<FlagSet::Entry>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(command.name);
  return found != known.end() ? found->second
                              : known.emplace(command.name, EntriesOf(command)).first->second;
}

// The filter of a request together with that of a set. Errors: InvalidArgument, with the position
// in the first.
Result<std::string> WithSet(const Json& filter, const std::string& set) {
  if (filter.is_null()) return set;
  if (!filter.is_string()) return Fail(Status::InvalidArgument("filter must be a text"));
  RECALL_TRY(CheckFilter(filter.get<std::string>()));
  return "(" + filter.get<std::string>() + "\n) AND " + set;
}

// The body of a request with what the function adds.
Result<std::string> BodyOf(const LibraryRequest& request) {
  if (request.texts.empty() && !request.budget && request.note.empty() && request.within.empty()) {
    return std::string(request.body);
  }
  std::optional<Json> body = request.body.empty() ? Json::object() : ParseJson(request.body);
  if (!body || !body->is_object()) return std::string(request.body);  // ArgsFromBody says why
  for (const auto& [name, text] : request.texts) (*body)[std::string(name)] = text;
  if (request.budget) (*body)["budget_tokens"] = *request.budget;
  if (!request.note.empty()) (*body)["note"] = request.note;
  if (!request.within.empty()) {
    RECALL_ASSIGN((*body)["filter"], WithSet(JsonMember(*body, "filter"), request.within));
  }
  return PrintJson(*body);
}

}  // namespace

// The turn of a call of this thread. Until its end, other threads wait, or get an error.
class LibraryStore::Turn final {
 public:
  explicit Turn(LibraryStore* store) : store_(store), began_(Begin(store)) {
    if (began_.ok()) store->plain_ = &plain_;
  }
  ~Turn() {
    if (!began_.ok()) return;
    store_->plain_ = nullptr;
    store_->caller_ = std::thread::id();
    if (store_->serialized_) store_->mutex_.unlock();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  const Status& began() const { return began_; }

 private:
  static Status Begin(LibraryStore* store) {
    const std::thread::id here = std::this_thread::get_id();
    if (store->caller_.load() == here) {
      return Status::InvalidArgument("this thread is in a call of the same store already",
                                     "a function for progress may call recall_cancel alone");
    }
    if (store->serialized_) {
      store->mutex_.lock();
      store->caller_ = here;
      return Status::Ok();
    }
    std::thread::id nobody;
    if (store->caller_.compare_exchange_strong(nobody, here)) return Status::Ok();
    return Status::InvalidArgument(
        "another thread uses this store, which was opened with \"threads\": \"single\"",
        "open it once for each thread, or with \"threads\": \"serialized\"");
  }

  LibraryStore* const store_;
  const PlainLocale plain_;
  const Status began_;
};

LibraryStore::LibraryStore(LibraryOptions options)
    : restricted_(!options.call.scope.empty() || options.call.hide_private),
      serialized_(options.serialized),
      stable_(options.stable),
      runner_([&] {
        options.call.on_event = [this](const CallEvent& event) { Tell(event); };
        return std::move(options.call);
      }()) {}

Result<CallAnswer> LibraryStore::Open(LibraryOptions options,
                                      std::unique_ptr<LibraryStore>* store) {
  const bool create = options.create;
  const std::string path = options.call.locate.store;
  std::unique_ptr<LibraryStore> made(new LibraryStore(std::move(options)));
  const Turn turn(made.get());
  // The cheapest command opens the store.
  const std::vector<std::string> look = {"--json", "--k=1"};
  CallAnswer found = made->Run(kLsCommand, look);
  if (create && found.failure && found.failure->code == ErrorCode::kStoreNotFound) {
    CallAnswer created = made->Run(kInitCommand, {"--json", "--", path});
    // Another process may have made it meanwhile.
    const bool exists = created.failure && created.failure->code == ErrorCode::kAlreadyExists;
    if (created.exit != ExitCode::kDone && !exists) return created;
    found = made->Run(kLsCommand, look);
  }
  const bool missing = found.failure && found.failure->code == ErrorCode::kStoreNotFound;
  if (missing && !IsServerAddress(path)) {
    return Fail(Status::StoreNotFound(path + ": there is no store",
                                      found.failure->hint + "; the option \"create\" makes one"));
  }
  if (found.exit == ExitCode::kDone) *store = std::move(made);
  return found;
}

CallAnswer LibraryStore::Run(const CommandInfo& command, std::vector<std::string> args) {
  return runner_.Run({&command, std::move(args)});
}

Result<CallAnswer> LibraryStore::Call(const LibraryRequest& request) {
  RECALL_ASSIGN(const CommandInfo* const command, FindLibraryCommand(request.command));
  if (restricted_ && IsOfWholeFile(command->name)) {
    return Fail(Status::InvalidArgument(
        std::string(command->name) + " works on all documents, and some are hidden here",
        "open the store without \"scope\" and \"hide_private\" for it"));
  }
  RECALL_ASSIGN(const std::string body, BodyOf(request));
  RECALL_ASSIGN(const std::vector<std::string> args,
                ArgsFromBody(KnownEntriesOf(*command), body, Requester::kHost));
  CommandCall call{.command = command, .args = {"--json"}};
  if (stable_) call.args.emplace_back("--stable");
  call.args.insert(call.args.end(), request.flags.begin(), request.flags.end());
  call.args.insert(call.args.end(), args.begin(), args.end());
  call.lines = request.lines;
  call.take_hits = request.take_hits;
  const Turn turn(this);
  RECALL_TRY(turn.began());
  runner_.Renew();
  return runner_.Run(call);
}

Status LibraryStore::SetProgress(int (*progress)(const recall_progress*, void*), void* user) {
  const Turn turn(this);
  RECALL_TRY(turn.began());
  progress_ = progress;
  progress_user_ = user;
  return Status::Ok();
}

void LibraryStore::Tell(const CallEvent& event) {
  if (progress_ == nullptr) return;
  const std::string command(event.command);
  std::string stage(event.stage.stage);
  recall_progress told = {};
  if (event.progress != nullptr) {
    const AddProgress& add = *event.progress;
    stage = add.catch_up ? "derived" : "documents";
    told.done = add.catch_up ? add.catch_up->done : add.files_done;
    told.total = add.catch_up ? add.catch_up->total : add.files_total;
  } else if (!event.stage.ended || stage == kDoneStage) {
    return;
  } else {
    told.done = event.stage.count;
  }
  told.command = command.c_str();
  told.stage = stage.c_str();
  // The function is of the host, and runs in its locale.
  const locale_t outside = plain_ != nullptr ? plain_->outside() : locale_t{};
  const locale_t ours = outside != locale_t{} ? ::uselocale(outside) : locale_t{};
  const int stop = progress_(&told, progress_user_);
  if (ours != locale_t{}) ::uselocale(ours);
  if (stop != 0) runner_.Cancel();
}

}  // namespace recall

#include "cli/compat/rekal/rekal_calls.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cli/options/flags/global_flags.h"

namespace recall {
namespace {

using Args = std::vector<std::string>;

constexpr std::array<std::string_view, 9> kFormFlags = {"--json",    "--jsonl",   "--lean",
                                                        "--shape",   "--fields",  "--format",
                                                        "--payload", "--explain", "--cite"};

bool IsFlagWord(const std::string& arg) { return arg.size() > 1 && arg[0] == '-' && arg != "--"; }

bool DecidesOnForm(const Args& args) {
  return std::any_of(args.begin(), std::ranges::find(args, "--"), [](const std::string& arg) {
    return std::ranges::find(kFormFlags, arg.substr(0, arg.find('='))) != kFormFlags.end();
  });
}

// The index of the verb: the first word, unless a flag precedes it that only some commands have.
std::optional<size_t> VerbOf(const Args& args) {
  const std::vector<FlagSet::Entry> globals = GlobalEntries();
  for (size_t i = 0; i < args.size(); ++i) {
    if (!IsFlagWord(args[i])) return args[i] == "--" ? std::nullopt : std::optional(i);
    const bool has_value = args[i].find('=') != std::string::npos;
    const std::string name = args[i].substr(0, args[i].find('='));
    const auto entry = std::ranges::find_if(
        globals, [&](const FlagSet::Entry& each) { return HasSpelling(each, name); });
    if (entry == globals.end()) return std::nullopt;
    if (!entry->value.empty() && !has_value) ++i;
  }
  return std::nullopt;
}

// The flags of `query --session`.
class SessionQuery final {
 public:
  // Reads the arguments behind the verb.
  explicit SessionQuery(const Args& args) {
    for (size_t i = 0; i < args.size(); ++i) {
      const size_t equals = args[i].find('=');
      const std::string name = args[i].substr(0, equals);
      std::string* const target = TargetOf(name);
      if (target != nullptr && equals != std::string::npos) {
        *target = args[i].substr(equals + 1);
      } else if (target != nullptr && i + 1 < args.size()) {
        *target = args[++i];
      } else {
        rest_.push_back(args[i]);
      }
    }
  }

  bool has_session() const { return !session_.empty(); }

  // The call of `get` behind its verb. A limit of 0 is none, as there.
  Args Get(bool terminal) const {
    Args args = {"--turns=" + offset_ + ":" + (limit_ == "0" ? "" : limit_)};
    if (!role_.empty()) args.push_back("--role=" + role_);
    const bool shaped = !terminal && !DecidesOnForm(rest_);
    if (shaped) args.emplace_back("--shape=rekal");
    args.push_back(session_);
    args.insert(args.end(), rest_.begin(), rest_.end());
    return args;
  }

 private:
  std::string* TargetOf(std::string_view name) {
    if (name == "--session") return &session_;
    if (name == "--offset") return &offset_;
    if (name == "--limit") return &limit_;
    return name == "--role" ? &role_ : nullptr;
  }

  std::string session_;
  std::string offset_ = "0";
  std::string limit_ = "0";
  std::string role_;
  Args rest_;  // --full, which has the same name here, and whatever else there is
};

// Sessions are captured and shared before those of others are fetched. What is not possible now,
// such as reaching the remote, does not keep back the rest.
std::vector<RekalCall> CallsOfSync(const Args& before, const Args& behind) {
  const auto call = [&](const char* verb) {
    Args args = before;
    args.emplace_back(verb);
    return args;
  };
  if (behind.empty()) {
    return {RekalCall{call("capture"), true}, RekalCall{call("push"), true},
            RekalCall{call("pull"), true}};
  }
  Args pull = call("pull");
  std::ranges::copy_if(behind, std::back_inserter(pull),
                       [](const std::string& arg) { return arg != "--self"; });
  return {RekalCall{std::move(pull)}};
}

}  // namespace

bool IsRekal(std::string_view program) {
  const size_t slash = program.rfind('/');
  return program.substr(slash == program.npos ? 0 : slash + 1) == "rekal";
}

std::vector<RekalCall> CallsOfRekal(Args args, bool terminal) {
  const std::optional<size_t> at = VerbOf(args);
  if (!at) return {RekalCall{std::move(args)}};
  const auto verb = args.begin() + static_cast<ptrdiff_t>(*at);
  const Args before(args.begin(), verb);
  const Args behind(verb + 1, args.end());
  const auto call = [&](Args words, const Args& more) {
    words.insert(words.begin(), before.begin(), before.end());
    words.insert(words.end(), more.begin(), more.end());
    return std::vector<RekalCall>{RekalCall{std::move(words)}};
  };
  if (*verb == "init") return {RekalCall{args}, RekalCall{{"install", "git"}}};
  if (*verb == "checkpoint") return call({"capture"}, behind);
  if (*verb == "sync") return CallsOfSync(before, behind);
  if (*verb == "clean") return call({"uninstall", "git"}, behind);
  // Indexes are part of each commit here; this examines them, and rebuilds what is damaged.
  if (*verb == "index") return call({"doctor", "--fix"}, behind);
  if (*verb == "push") {
    Args flags = behind;
    std::ranges::replace(flags, "-f", "--force");
    return call({"push"}, flags);
  }
  if (*verb == "query") {
    const SessionQuery query(behind);
    if (query.has_session()) return call({"get"}, query.Get(terminal || DecidesOnForm(before)));
  }
  return {RekalCall{std::move(args)}};
}

Args InShapeOfRekal(Args args) {
  if (!DecidesOnForm(args)) args.insert(args.begin(), "--shape=rekal");
  return args;
}

}  // namespace recall

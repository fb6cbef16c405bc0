#include "cli/server/serve/command_request.h"

#include <algorithm>
#include <array>

#include "cli/server/mcp/json_rpc.h"

namespace recall {
namespace {

// A client must not choose what the server opens, how it prints, whether extractors run without
// their sandbox, nor what becomes of credentials.
constexpr std::array<std::string_view, 27> kNotForClients = {
    "--store",     "--config",        "--token-counter", "--html", "--against",  "--out",
    "--rql-stdin", "--jsonl",         "--json",          "--lean", "--format",   "--color",
    "--quiet",     "--hyperlink",     "--stable",        "--help", "--no-pager", "--files-from",
    "--progress",  "--root",          "--no-serve",      "--use",  "--secrets",  "--unsafe-extract",
    "--fresh",     "--password-file", "--model"};

// "min_score" for "--min-score", "query" for "QUERY".
std::string MemberName(const FlagSet::Entry& entry) {
  std::string name = entry.is_argument() ? entry.name : LongFlagName(entry.name).substr(2);
  std::ranges::transform(name, name.begin(), [](char c) {
    if (c == '-') return '_';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return name;
}

// Of these, what the program may choose that the commands run in. It has opened the store, and gets
// JSON; a flag that names a file of lines or a page is not the global one of the same name, and the
// format of a file is not that of an answer.
constexpr std::array<std::string_view, 12> kForHost = {
    "--token-counter", "--html",    "--against",        "--out",   "--files-from",    "--root",
    "--use",           "--secrets", "--unsafe-extract", "--fresh", "--password-file", "--model"};

bool IsFor(Requester requester, const FlagSet::Entry& entry) {
  if (entry.is_argument()) return true;
  const std::string name = LongFlagName(entry.name);
  if (std::ranges::find(kNotForClients, name) == kNotForClients.end()) return true;
  if (requester == Requester::kClient) return false;
  return std::ranges::find(kForHost, name) != kForHost.end() ||
         (name == "--jsonl" && !entry.value.empty()) ||
         (name == "--format" && std::ranges::find(entry.choices, "text") == entry.choices.end());
}

std::string NamesOf(const std::vector<RequestMember>& members) {
  std::string names;
  for (const RequestMember& member : members) names += (names.empty() ? "" : ", ") + member.name;
  return names;
}

// The texts of a value. Errors: InvalidArgument for objects, nested arrays and zero bytes.
Result<std::vector<std::string>> TextsOf(const std::string& name, const Json& value) {
  std::vector<std::string> texts;
  const Json values = value.is_array() ? value : Json::array({value});
  for (const Json& item : values) {
    if (!item.is_string() && !item.is_number()) {
      return Fail(Status::InvalidArgument(name + " must be a text, a number or an array of them"));
    }
    texts.push_back(item.is_string() ? item.get<std::string>() : PrintJson(item));
    if (texts.back().find('\0') != std::string::npos) {
      return Fail(Status::InvalidArgument(name + " contains a character with the code 0"));
    }
  }
  return texts;
}

// A text would be the name of a file on the command line.
Result<std::string> EmbeddingText(const Json& value) {
  const bool numbers = value.is_array() && std::ranges::all_of(value, [](const Json& number) {
                         return number.is_number();
                       });
  if (numbers) return PrintJson(value);
  return Fail(Status::InvalidArgument("embedding must be an array of numbers"));
}

// Appends the words of a member of a request: a flag with its value, or arguments.
Status AppendMember(const RequestMember& member, const Json& value, std::vector<std::string>* flags,
                    std::vector<std::string>* words) {
  const FlagSet::Entry& entry = *member.entry;
  const std::string flag = entry.is_argument() ? "" : LongFlagName(entry.name);
  if (member.is_switch) {
    if (!value.is_boolean()) {
      return Status::InvalidArgument(member.name + " must be true or false");
    }
    if (value.get<bool>()) flags->push_back(flag);
    return {};
  }
  if (flag == "--embedding") {
    RECALL_ASSIGN(const std::string embedding, EmbeddingText(value));
    flags->push_back(flag + "=" + embedding);
    return {};
  }
  if (entry.value == "JSON" && value.is_object()) {
    flags->push_back(flag + "=" + PrintJson(value));
    return {};
  }
  RECALL_ASSIGN(std::vector<std::string> texts, TextsOf(member.name, value));
  for (std::string& text : texts) {
    entry.is_argument() ? words->push_back(std::move(text)) : flags->push_back(flag + "=" + text);
  }
  return {};
}

}  // namespace

std::vector<RequestMember> MembersOf(const std::vector<FlagSet::Entry>& entries,
                                     Requester requester) {
  std::vector<RequestMember> members;
  for (const FlagSet::Entry& entry : entries) {
    if (!IsFor(requester, entry)) continue;
    members.push_back({MemberName(entry), &entry, !entry.is_argument() && entry.value.empty()});
  }
  return members;
}

Result<std::vector<std::string>> ArgsFromBody(const std::vector<FlagSet::Entry>& entries,
                                              const std::string& body, Requester requester) {
  const std::optional<Json> request = body.empty() ? Json::object() : ParseJson(body);
  if (!request || !request->is_object()) {
    return Fail(Status::InvalidArgument("the body must be a JSON object",
                                        "for example {\"query\": \"retry policy\", \"k\": 5}; "
                                        "at most 100,000 values and 64 levels"));
  }
  const std::vector<RequestMember> members = MembersOf(entries, requester);
  std::vector<std::string> flags;
  std::vector<std::string> words;
  for (const auto& [name, value] : request->items()) {
    const auto member = std::ranges::find(members, name, &RequestMember::name);
    if (member == members.end()) {
      return Fail(Status::InvalidArgument("unknown member '" + name + "'",
                                          "there are " + NamesOf(members)));
    }
    if (!value.is_null()) RECALL_TRY(AppendMember(*member, value, &flags, &words));
  }
  // They are sorted, so that equal requests are equal command lines.
  std::ranges::stable_sort(flags, {}, [](const std::string& flag) {
    return std::string_view(flag).substr(0, flag.find('='));
  });
  flags.emplace_back("--");
  flags.insert(flags.end(), words.begin(), words.end());
  return flags;
}

}  // namespace recall

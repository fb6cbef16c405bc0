#pragma once

// The metadata of a session document, doc.session in RQL and JSON: what is known of a session
// beside its turns.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"

namespace recall {

struct SessionMeta {
  std::string agent;
  std::string id;
  std::string parent;
  std::string actor;   // "human"; "agent" for a sub-agent or a run without a person
  std::string author;  // e-mail address
  std::string branch;
  std::string cwd;
  std::string model;
  std::string title;
  std::string transcript;  // the file that it was read from
  std::optional<UnixNanos> started_at;
  std::optional<UnixNanos> captured_at;  // of the last turn
  int64_t turns = 0;
  int64_t tool_calls = 0;
  std::vector<std::string> files;  // that tools named, from the root of the repository; sorted
  std::vector<std::string> tools;  // names; sorted
  std::string commit;              // the last of the commits with the best grade
  // The commits that the session led to, by id, and how each is known: "explicit", "trailer" or
  // "inferred".
  std::map<std::string, std::string> commits;
  std::vector<std::string> commit_files;  // that the commits change; sorted
  // `captured_at` of the program that recorded the session, if it was imported.
  std::optional<UnixNanos> imported_captured_at;
  std::map<std::string, int64_t> redacted;  // the number of secrets that were replaced, by kind
  bool keeps_secrets = false;               // it was captured without redaction
  std::vector<std::string> changed_files;   // those of `files` that tools wrote; sorted
  // Documents that hints of this program cited, and those of them that the agent then opened;
  // sorted.
  std::vector<std::string> offered_paths;
  std::vector<std::string> followed_paths;

  bool operator==(const SessionMeta&) const = default;
};

// A JSON object, keys sorted. Empty values are left out, but for the counts of turns and uses of
// tools. With offered paths, "hints_offered" and "hints_followed" are the lengths of both lists.
std::string WriteSessionMeta(const SessionMeta& meta);
// The inverse. The bytes may be any: what is missing or of another type is empty.
SessionMeta ReadSessionMeta(std::string_view json);

}  // namespace recall

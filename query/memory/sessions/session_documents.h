#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/source/session/session_version.h"
#include "index/write/ingest/document_builder.h"
#include "query/memory/git/repository.h"
#include "query/memory/git/session_commits.h"

namespace recall {

// The path of the document of a session: "sessions/<agent>/<id>". What cannot be in a path becomes
// "_".
std::string SessionPath(std::string_view agent, std::string_view id);

// What git says of the directories in which sessions were held. Each directory, and each branch, is
// asked for once. Not thread-safe.
class SessionRepositories final {
 public:
  // The repository that contains a directory; null if none does.
  const GitRepository* Find(const std::string& directory);
  // As SessionCommitFinder::Find, of a repository that Find returned.
  Result<SessionCommits> FindCommits(const GitRepository& repository, const SessionInGit& session,
                                     const std::vector<GitCommit>& given);

 private:
  std::map<std::string, std::string> root_of_;  // by directory; "": none
  std::map<std::string, std::unique_ptr<const GitRepository>> repositories_;  // by root
  std::map<std::string, std::unique_ptr<SessionCommitFinder>> finders_;       // by root
};

// What is known of a session that was just read.
struct SessionReading {
  const AgentSession* session = nullptr;
  const std::map<std::string, int64_t>* redacted = nullptr;
  std::string transcript;                     // the name of the file
  UnixNanos transcript_time = 0;              // stands for the time of a turn if no turn has one
  const GitRepository* repository = nullptr;  // null: outside of git
  bool keeps_secrets = false;
};

// The new version: `before`, if there is one, with what was read. Commits are not looked for here;
// those of `before` are kept.
SessionVersion UpdatedSession(const std::optional<SessionVersion>& before,
                              const SessionReading& reading);

// Adds the commits to the metadata. An explicit commit that is there already stays.
void AddCommits(const SessionCommits& commits, SessionMeta* meta);

// The document of a version.
ProvidedDocument SessionDocument(std::string path, const SessionVersion& version);

}  // namespace recall

#pragma once

#include <string>
#include <vector>

#include "query/memory/git/repository.h"
#include "query/memory/related/changed_sessions.h"
#include "query/types/related_types.h"

namespace recall {

// What git says of a file.
struct FileHistory {
  std::vector<GitCommit> commits;  // that changed it, the newest first
  std::string warning;             // why there are none; "" if there may be
};

// Reads the commits that a request asks for, if it does. Errors: IoError.
Result<FileHistory> ReadFileHistory(const RelatedRequest& request, const FileInTree& file);

// Implements Database::Related. Errors: InvalidArgument for a limit below 1; those of
// SessionsThatChanged.
Result<RelatedResponse> RunRelated(const Snapshot& snapshot, const RelatedRequest& request,
                                   const FileInTree& file, const FileHistory& history,
                                   const std::string& commit_token);

}  // namespace recall

#pragma once

// Request and answer of Database::Related: the files that change together with a file.

#include <cstdint>
#include <string>
#include <vector>

#include "query/types/answer_facts.h"
#include "query/types/document_scope.h"

namespace recall {

struct RelatedRequest {
  std::string file = {};  // relative to the working directory, or absolute; it need not exist
  Scope scope = {};       // the sessions that count
  // Also count commits of the repository that the file lies in: never within OpenOptions::scope.
  bool git = true;
  int64_t newest = 30;  // at most so many sessions, and so many commits, that changed the file
  size_t limit = 10;
};

struct RelatedFile {
  std::string path = {};  // as RelatedResponse::path
  double score = 0;
  int64_t sessions = 0;  // that changed both
  int64_t commits = 0;   // that changed both
  double share = 0;      // of the sessions and commits that changed the file: 0 to 1
  // Those that changed both: the newest, at most three of each.
  std::vector<std::string> session_paths = {};
  std::vector<std::string> commit_ids = {};
};

struct RelatedResponse : AnswerFacts {
  std::string path = {};  // of the file, from the root of its repository; outside of git absolute
  // That changed the file and counted: alone, or with at most 49 others.
  int64_t sessions = 0;
  int64_t commits = 0;
  int64_t too_large = 0;                // sessions and commits that did not count
  std::vector<RelatedFile> files = {};  // the best first
};

}  // namespace recall

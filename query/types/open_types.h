#pragma once

// How a store is named, created and opened.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/embed/embedder/embedder_names.h"
#include "index/embed/factory/embedder_config.h"
#include "index/search/ranker/ranker_config.h"
#include "index/source/extract/types/password_source.h"
#include "index/source/extract/types/user_extractor.h"
#include "query/types/stage_events.h"
#include "storage/base/page_verification.h"
#include "storage/base/status.h"

namespace recall {

class LentConnection;

// Whether `store` is the address of a store on a server, postgres://..., and not a path. Wherever a
// store is named by its path, such an address may stand.
bool IsServerAddress(std::string_view store);

// Settings that a new store records permanently.
struct CreateOptions {
  std::string embedder = "lsa";  // or "hash"
  uint32_t dim = 256;
  uint32_t chunk_tokens = 256;
  uint32_t overlap_tokens = 32;
  uint64_t ann_seed = 42;
  // The setting `notes_dir` of this store where no configuration has one; "": none.
  std::string notes_dir = {};
  // The path of the store whose LSA model the new one adopts, with its `dim` and `ann_seed`; "":
  // none.
  std::string model_of = {};
  // Not recorded: as in OpenOptions, for the returned Database.
  std::vector<RankerConfig> rankers = {};
};

struct OpenOptions {
  bool read_only = false;
  // A filter (docs/rql.md): documents that do not satisfy it do not exist for this Database, for
  // reading and for Remove. Empty: all documents.
  std::string scope = {};
  // Notes with `sensitivity: private` do not exist for this Database either.
  bool hide_private = false;
  int busy_timeout_ms = 10'000;
  // Called once, when the wait for another process has lasted for a second.
  std::function<void()> on_long_wait = {};
  // Called before the format of an older store is changed, when no other process writes. An error
  // leaves the store as it is, and is that of opening it, or of the search that needed to write.
  std::function<Status()> before_upgrade = {};
  bool enable_mapping = true;
  // When pages that a search reads are compared with their checksums.
  PageVerification verify_pages = PageVerification::kFirstUse;
  std::string verified_directory = {};  // as in StoreOptions
  uint32_t flush_vectors = 4096;        // the delta becomes a segment when it has this many vectors
  // External embedders. A store that uses one of them needs it only to add documents and for
  // semantic queries.
  std::vector<EmbedderConfig> embedders = {};
  std::vector<RankerConfig> rankers = {};  // programs that the stage `ranker` may start
  // Programs that Add, and Get with `verify`, may start for files with their suffixes.
  std::vector<UserExtractor> extractors = {};
  // Passwords that Add tries with encrypted documents, read when the first one is met.
  PasswordSource passwords = {};
  // Get reads the files of documents only at this directory or below it, symbolic links followed;
  // others do not exist. Empty: all files.
  std::string sources_below = {};
  StageListener on_stage = {};                  // told of the stages of each question
  std::shared_ptr<LentConnection> lender = {};  // as in StoreOptions
};

}  // namespace recall

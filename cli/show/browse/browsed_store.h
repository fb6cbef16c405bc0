#pragma once

// What the terminal view reads of the store on its own thread, and what it writes.

#include <memory>
#include <string>

#include "cli/show/browse/browser_options.h"
#include "cli/show/browse/links_state.h"
#include "cli/show/browse/places_state.h"
#include "query/database/database.h"

namespace recall {

// Errors of all functions: those of Database. `options` outlives the object.
class BrowsedStore final {
 public:
  explicit BrowsedStore(const BrowserOptions& options) : options_(options) {}

  Result<GetResponse> Document(const std::string& path) const;
  // The document of a hit, as of the answer with this snapshot.
  Result<GetResponse> DocumentOf(const SearchHit& hit, const std::string& snapshot) const;
  Result<LinksPage> Links(const std::string& path) const;
  // Errors: NotFound if there are no such places.
  Result<PlacesPage> Places(const PlacesWish& wish) const;
  // What is due within the scope of the questions with a preset.
  Result<std::vector<DueDocument>> Due(size_t preset, const std::string& filter) const;

  // Both open the store a second time. Errors: also InvalidArgument of a snapshot.
  Result<ReviewReport> Rate(const std::string& path, int64_t quality);
  Result<SaveReport> Save(const SaveRequest& request);
  // Whether both would fail because a snapshot is read. `what`: "reviews".
  Status CheckWritable(std::string_view what) const;

 private:
  Result<PlacesPage> Outline(const PlacesWish& wish) const;
  Result<Database*> Writer();

  const BrowserOptions& options_;
  std::unique_ptr<Database> writer_;  // opened by what is written first
};

}  // namespace recall

#pragma once

#include <atomic>
#include <span>
#include <string_view>
#include <vector>

#include "index/search/ranker/ranker_config.h"
#include "storage/base/result.h"

namespace recall {

// A text of a ranking, as a ranker sees it.
struct RankedText {
  std::string_view id;
  std::string_view path;
  std::string_view heading;
  std::string_view text;
};

// The rankers of the user's own settings. Immutable and thread-safe.
class Rankers final {
 public:
  // Once *cancel, if given, is true, a program is no longer waited for. It must outlive the object.
  explicit Rankers(std::vector<RankerConfig> configs, const std::atomic<bool>* cancel = nullptr)
      : configs_(std::move(configs)), cancel_(cancel) {}

  // Starts the program of the ranker `name`, writes one line of JSON for each text, ends its input,
  // and reads one score for each line, a finite number in the range of float. The program ends with
  // the call, so no score depends on an earlier query. Errors: NotFound if the ranker is not
  // configured, with the known names, or if there is no such program; IoError if the program fails,
  // writes anything but one score for each text, or exceeds its time; Cancelled.
  Result<std::vector<double>> Score(std::string_view name, std::string_view query,
                                    std::span<const RankedText> texts) const;

 private:
  std::vector<RankerConfig> configs_;
  const std::atomic<bool>* cancel_;
};

}  // namespace recall

#include <hwy/highway.h>

#include "simd/kernels.h"

namespace recall {
namespace {

// The targets that were compiled and that this CPU supports. In Highway better targets have lower
// bits.
std::vector<int64_t> UsableTargets() {
  std::vector<int64_t> targets;
  for (int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    targets.push_back(left & -left);
  }
  return targets;
}

int64_t forced_target = 0;

}  // namespace

std::vector<std::string> SupportedSimdTargets() {
  std::vector<std::string> names;
  for (const int64_t target : UsableTargets()) {
    const auto place = target == forced_target ? names.begin() : names.end();
    names.insert(place, hwy::TargetName(target));
  }
  return names;
}

bool ForceSimdTarget(const std::string& name) {
  if (name.empty()) {
    forced_target = 0;
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return true;
  }
  for (const int64_t target : UsableTargets()) {
    if (name != hwy::TargetName(target)) continue;
    forced_target = target;
    hwy::GetChosenTarget().Update(target);
    return true;
  }
  return false;
}

}  // namespace recall

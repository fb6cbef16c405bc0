#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace recall {

// A reference from one node of a graph to another, of at least 0.
struct WeightedEdge {
  uint32_t to = 0;
  double weight = 0;
};

// The part of a node's rank that its edges pass on; the rest goes to the restart.
inline constexpr double kPassedOnRank = 0.85;

// The rank of each node: the share of time that a walk spends there which mostly follows an edge,
// with a probability in proportion to its weight, and else begins again.
//   edges: of each node, without edges to itself.
//   reserve: what the edges of each node are weighed against, above 0: a node passes on the part
//     sum / (sum + reserve) of kPassedOnRank, so that a node with few edges has little to say.
//   restart: where the walk begins again, as parts of 1.
// Returns: ranks that add up to 1. The same bits on every CPU: a fixed number of iterations, and
// sums in the order of the nodes and their edges.
std::vector<double> PageRank(std::span<const std::vector<WeightedEdge>> edges, double reserve,
                             std::span<const double> restart);

}  // namespace recall

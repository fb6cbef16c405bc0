// PageRank. The oracle solves the equations of the header by elimination.

#include "query/ask/map/page_rank.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace recall {
namespace {

using RankGraph = std::vector<std::vector<WeightedEdge>>;

// Solves rank = d * M * rank + (1 - sum of what is passed on) * restart, of which the sum is 1, by
// Gaussian elimination of (I - A) rank = 0 with a last row of ones.
std::vector<double> SolveRanks(const RankGraph& graph, double reserve,
                               const std::vector<double>& restart) {
  const size_t n = graph.size();
  std::vector<std::vector<double>> rows(n + 1, std::vector<double>(n + 1, 0));
  for (size_t from = 0; from < n; ++from) {
    double sum = 0;
    for (const WeightedEdge& edge : graph[from]) sum += edge.weight;
    double passed = 0;
    for (const WeightedEdge& edge : graph[from]) {
      const double part = kPassedOnRank * edge.weight / (sum + reserve);
      rows[edge.to][from] -= part;
      passed += part;
    }
    for (size_t to = 0; to < n; ++to) rows[to][from] -= (1 - passed) * restart[to];
    rows[from][from] += 1;
  }
  rows[0].assign(n + 1, 1);  // any of the equations follows from the others
  rows.pop_back();
  for (size_t column = 0; column < n; ++column) {
    size_t pivot = column;
    for (size_t row = column; row < n; ++row) {
      if (std::abs(rows[row][column]) > std::abs(rows[pivot][column])) pivot = row;
    }
    std::swap(rows[column], rows[pivot]);
    for (size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = rows[row][column] / rows[column][column];
      for (size_t i = column; i <= n; ++i) rows[row][i] -= factor * rows[column][i];
    }
  }
  std::vector<double> solution;
  for (size_t row = 0; row < n; ++row) solution.push_back(rows[row][n] / rows[row][row]);
  return solution;
}

std::vector<double> EqualParts(size_t nodes) {
  return std::vector<double>(nodes, 1 / static_cast<double>(nodes));
}

TEST(PageRankTest, IsTheSolutionOfItsEquations) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const size_t nodes = 1 + random() % 12;
    RankGraph graph(nodes);
    for (size_t from = 0; from < nodes; ++from) {
      for (uint32_t to = 0; to < nodes; ++to) {
        // Some nodes have no edges.
        if (to == from || random() % 3 > 0 || from % 4 == 3) continue;
        graph[from].push_back({to, static_cast<double>(1 + random() % 9)});
      }
    }
    std::vector<double> restart;
    for (size_t node = 0; node < nodes; ++node) {
      restart.push_back(static_cast<double>(1 + random() % 5));
    }
    const double all = std::accumulate(restart.begin(), restart.end(), 0.0);
    for (double& part : restart) part /= all;
    const double reserve = static_cast<double>(1 + random() % 20);
    const std::vector<double> rank = PageRank(graph, reserve, restart);
    const std::vector<double> solution = SolveRanks(graph, reserve, restart);
    ASSERT_EQ(rank.size(), nodes);
    for (size_t node = 0; node < nodes; ++node) {
      EXPECT_NEAR(rank[node], solution[node], 1e-3) << "round " << round << ", node " << node;
    }
    EXPECT_NEAR(std::accumulate(rank.begin(), rank.end(), 0.0), 1, 1e-9);
  }
}

TEST(PageRankTest, WhatImportantNodesReferToIsImportant) {
  // 0, 1 and 2 refer to 3; 3 refers to 4; 0 refers to 5.
  const RankGraph graph = {{{3, 1}, {5, 1}}, {{3, 1}}, {{3, 1}}, {{4, 1}}, {}, {}};
  const std::vector<double> rank = PageRank(graph, 0.1, EqualParts(6));
  EXPECT_GT(rank[3], 2 * rank[5]);
  EXPECT_GT(rank[4], rank[5]) << "by one reference, as 5, but from 3";
  EXPECT_GT(rank[5], rank[1]);
}

TEST(PageRankTest, ANodeWithFewEdgesHasLittleToSay) {
  // 0 has one weak edge, 1 has a strong one.
  const RankGraph graph = {{{2, 1}}, {{3, 100}}, {}, {}};
  const std::vector<double> rank = PageRank(graph, 10, EqualParts(4));
  EXPECT_GT(rank[3] - rank[1], 5 * (rank[2] - rank[0]));
}

TEST(PageRankTest, WithoutNodesThereIsNothing) {
  EXPECT_TRUE(PageRank(RankGraph(), 1, {}).empty());
  EXPECT_EQ(PageRank(RankGraph(1), 1, std::vector<double>{1}), std::vector<double>{1});
}

}  // namespace
}  // namespace recall

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>

namespace recall {

// Reads a whole page, numbered from 1. Returns: false if it cannot be read.
using PageReader = std::function<bool(uint32_t number, std::span<uint8_t> page)>;

// The pages of a database file that SQLite does not read, and may never have written: the leaf
// pages of the free list, as the file says without its WAL, and the page with the lock byte
// (https://sqlite.org/fileformat2.html, 1.3 and 1.5). A damaged list is followed as far as it makes
// sense. Cost: one read per trunk page of the list, which lists up to page_bytes / 4 pages.
std::set<uint32_t> UnusedPages(const PageReader& read, size_t page_bytes, uint32_t pages);

}  // namespace recall

#include "store/sections/part.h"

#include "base/checksum.h"
#include "store/messages.h"

#include <algorithm>
#include <cstring>

namespace rizoma {
namespace {

constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 40;

std::uint64_t header_checksum(const format::PartHeader& header) {
  return checksum(std::as_bytes(std::span(&header, 1)).first(offsetof(format::PartHeader, checksum)),
                  format::kSeedPartHeader);
}

/// Two owners to a word.
std::uint64_t owner_words(std::uint64_t sections) { return (sections + 1) / 2; }

std::uint64_t head_words(const format::PartHeader& header) { return header.sections * (1 + header.in_edges); }

std::uint64_t payload_bytes(const format::PartHeader& header) {
  return (owner_words(header.sections) + head_words(header) + (header.edge_blocks + 63) / 64) * 8;
}

Result<format::PartHeader> header_of(std::span<const std::byte> bytes, std::string_view where) {
  format::PartHeader header;
  if (bytes.size() < sizeof header) return corrupt(where, "is cut short");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != format::kPartMagic) return corrupt(where, "does not say which part of a graph this is");
  if (header.checksum != header_checksum(header)) return corrupt(where, "has a damaged header");
  if (header.version > format::kPartVersion) return future_version(where, header.version);
  const bool sane = header.sections <= format::kMaxSections && header.number < header.parts && header.in_edges <= 1 &&
                    header.edge_blocks <= kMostBlocks;
  if (!sane) return corrupt(where, "has impossible sizes");
  return header;
}

}  // namespace

std::vector<std::byte> encode_part(const Part& part) {
  const std::uint64_t sections = part.owners.size();
  std::vector<std::uint64_t> words(owner_words(sections), 0);
  for (std::size_t s = 0; s < sections; ++s) words[s / 2] |= std::uint64_t{part.owners[s]} << (s % 2 * 32);
  words.insert(words.end(), part.out_heads.begin(), part.out_heads.end());
  words.insert(words.end(), part.in_heads.begin(), part.in_heads.end());
  const std::size_t blocks_at = words.size();
  words.resize(blocks_at + (part.edge_blocks.size() + 63) / 64, 0);
  for (std::size_t b = 0; b < part.edge_blocks.size(); ++b) {
    words[blocks_at + b / 64] |= std::uint64_t{part.edge_blocks[b]} << (b % 64);
  }
  const auto payload = std::as_bytes(std::span(words));
  format::PartHeader header;
  if (!part.edge_blocks.empty()) header.version = format::kPartVersion;
  header.edge_blocks = part.edge_blocks.size();
  header.store = part.store;
  header.generation = part.generation;
  header.number = part.number;
  header.parts = part.parts;
  header.rule = part.rule;
  header.in_edges = part.in_heads.empty() ? 0 : 1;
  header.sections = sections;
  header.payload_checksum = checksum(payload, format::kSeedPartPayload);
  header.checksum = header_checksum(header);
  std::vector<std::byte> bytes(sizeof header + payload.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!payload.empty()) std::memcpy(bytes.data() + sizeof header, payload.data(), payload.size());
  return bytes;
}

Result<std::uint64_t> part_bytes(std::span<const std::byte> bytes, std::uint64_t sections, std::string_view where) {
  RIZOMA_ASSIGN(const format::PartHeader header, header_of(bytes, where));
  if (header.sections != sections) return corrupt(where, "belongs to a graph with another number of sections");
  return sizeof header + payload_bytes(header);
}

Result<Part> decode_part(std::span<const std::byte> bytes, std::string_view where) {
  RIZOMA_ASSIGN(const format::PartHeader header, header_of(bytes, where));
  const auto payload = bytes.subspan(sizeof header);
  if (payload.size() != payload_bytes(header)) return corrupt(where, "has impossible sizes");
  if (header.payload_checksum != checksum(payload, format::kSeedPartPayload))
    return corrupt(where, "fails its checksum");
  std::vector<std::uint64_t> words(payload.size() / 8);
  if (!payload.empty()) std::memcpy(words.data(), payload.data(), payload.size());
  Part part{header.store, header.generation, header.number, header.parts, header.rule, {}, {}, {}, {}};
  for (std::uint64_t s = 0; s < header.sections; ++s) {
    part.owners.push_back(static_cast<std::uint32_t>(words[s / 2] >> (s % 2 * 32)));
  }
  if (std::any_of(part.owners.begin(), part.owners.end(), [&](std::uint32_t owner) { return owner >= header.parts; })) {
    return corrupt(where, "names parts that do not exist");
  }
  const auto heads = words.begin() + static_cast<std::ptrdiff_t>(owner_words(header.sections));
  const auto sections = static_cast<std::ptrdiff_t>(header.sections);
  part.out_heads.assign(heads, heads + sections);
  if (header.in_edges == 1) part.in_heads.assign(heads + sections, heads + 2 * sections);
  const auto blocks = heads + static_cast<std::ptrdiff_t>(head_words(header));
  for (std::uint64_t b = 0; b < header.edge_blocks; ++b) {
    part.edge_blocks.push_back((blocks[static_cast<std::ptrdiff_t>(b / 64)] >> (b % 64) & 1) != 0);
  }
  return part;
}

}  // namespace rizoma

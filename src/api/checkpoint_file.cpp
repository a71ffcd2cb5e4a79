#include "api/checkpoint_file.h"

#include "base/checksum.h"
#include "engine/exchange/wire.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kMagic = 0x3230'5254'4941'5a52;   // "RZAITR02"
constexpr std::uint64_t kFormer = 0x3130'5254'4941'5a52;  // "RZAITR01": one value of each vertex
constexpr std::uint64_t kLongestHead = 1 << 20;
constexpr const char* kFresh = ".new";  // after the name, while it is written

/// The numbers that the file begins with.
struct Fixed {
  std::uint64_t magic = kMagic;
  std::uint64_t head_bytes = 0;  ///< of all bytes before the values
  std::uint64_t fingerprint = 0;
  std::uint64_t vertices = 0;
  std::uint64_t columns = 0;  ///< their sizes follow, then the figures and the job
  std::uint64_t figures = 0;
};

/// Of a value of each column.
std::vector<std::uint64_t> sizes_of(const IterationState& state) {
  std::vector<std::uint64_t> sizes;
  for (const StateColumn& column : state.columns) sizes.push_back(column.value_bytes);
  return sizes;
}

std::vector<std::byte> head_of(const CheckpointOf& of, const IterationState& state) {
  const std::vector<std::uint64_t> sizes = sizes_of(state);
  const std::uint64_t sizes_bytes = std::as_bytes(std::span(sizes)).size();
  const Fixed fixed{kMagic,         sizeof(Fixed) + sizes_bytes + state.figures.size_bytes() + of.job.size(),
                    of.fingerprint, of.vertices,
                    sizes.size(),   state.figures.size()};
  WireWriter head;
  head.put(fixed);
  head.put_bytes(sizes.data(), sizes_bytes);
  head.put_bytes(state.figures.data(), state.figures.size_bytes());
  head.put_bytes(of.job.data(), of.job.size());
  return std::move(head).take();
}

std::span<std::byte> bytes_of(const CheckpointOf& of, const StateColumn& column) {
  return {static_cast<std::byte*>(column.values), of.vertices * column.value_bytes};
}

Error corrupt(const Medium& medium, const std::string& name) {
  return {ErrorCode::corrupt,
          "the checkpoint " + name + " in " + medium.describe() + " is damaged; remove it, and start the job again"};
}

Error another(const Medium& medium, const std::string& name, const std::string& what) {
  return {ErrorCode::invalid_argument,
          "the checkpoint " + name + " in " + medium.describe() + " belongs to " + what +
              "; resume with the options and the state of the graph that it began with, or start the job again"};
}

Error of_another_version(const Medium& medium, const std::string& name) {
  return another(medium, name, "another version of Rizoma");
}

/// Takes the figures and the job out of a head that `of` should match.
Status read_head(WireReader head, const Fixed& fixed, const CheckpointOf& of, const IterationState& state,
                 const Medium& medium, const std::string& name) {
  std::vector<std::uint64_t> sizes(state.columns.size());
  if (fixed.figures != state.figures.size() || fixed.columns != sizes.size()) return of_another_version(medium, name);
  head.get_bytes(sizes.data(), std::as_bytes(std::span(sizes)).size());
  if (!head.ok() || sizes != sizes_of(state)) return of_another_version(medium, name);
  head.get_bytes(state.figures.data(), state.figures.size_bytes());
  const std::string job(reinterpret_cast<const char*>(head.rest().data()), head.rest().size());
  if (job != of.job) return another(medium, name, "another job (" + job + ", not " + of.job + ")");
  if (fixed.fingerprint != of.fingerprint || fixed.vertices != of.vertices) {
    return another(medium, name, "another graph, or another state of it");
  }
  return {};
}

}  // namespace

Status write_checkpoint(Medium& medium, const std::string& name, const CheckpointOf& of, const IterationState& state) {
  const std::string fresh = name + kFresh;
  const std::vector<std::byte> head = head_of(of, state);
  std::uint64_t sum = checksum(head, kMagic);
  {
    RIZOMA_ASSIGN(const std::unique_ptr<MediumFile> file, medium.open(fresh, FileMode::create));
    RIZOMA_TRY(file->write(0, head));
    std::uint64_t at = head.size();
    for (const StateColumn& column : state.columns) {
      const std::span<const std::byte> values = bytes_of(of, column);
      RIZOMA_TRY(file->write(at, values));
      sum = checksum(values, sum);
      at += values.size();
    }
    RIZOMA_TRY(file->write(at, std::as_bytes(std::span(&sum, 1))));
    RIZOMA_TRY(file->sync());
  }
  RIZOMA_TRY(medium.rename(fresh, name));
  return medium.sync_names();
}

Status read_checkpoint(Medium& medium, const std::string& name, const CheckpointOf& of, const IterationState& state) {
  RIZOMA_ASSIGN(const std::unique_ptr<MediumFile> file, medium.open(name, FileMode::read));
  RIZOMA_ASSIGN(const std::uint64_t size, file->size());
  Fixed fixed;
  if (size < sizeof(Fixed)) return corrupt(medium, name);
  RIZOMA_TRY(file->read(0, std::as_writable_bytes(std::span(&fixed, 1))));
  if (fixed.magic == kFormer) return of_another_version(medium, name);
  if (fixed.magic != kMagic || fixed.head_bytes < sizeof(Fixed) || fixed.head_bytes > kLongestHead ||
      fixed.head_bytes > size) {
    return corrupt(medium, name);
  }
  std::vector<std::byte> head(fixed.head_bytes);
  RIZOMA_TRY(file->read(0, head));
  const WireReader behind_fixed(std::span<const std::byte>(head).subspan(sizeof(Fixed)));
  RIZOMA_TRY(read_head(behind_fixed, fixed, of, state, medium, name));
  std::uint64_t values_bytes = 0;
  for (const StateColumn& column : state.columns) values_bytes += bytes_of(of, column).size();
  std::uint64_t kept = 0;
  if (size != head.size() + values_bytes + sizeof(kept)) return corrupt(medium, name);
  std::uint64_t sum = checksum(head, kMagic);
  std::uint64_t at = head.size();
  for (const StateColumn& column : state.columns) {
    RIZOMA_TRY(file->read(at, bytes_of(of, column)));
    sum = checksum(bytes_of(of, column), sum);
    at += bytes_of(of, column).size();
  }
  RIZOMA_TRY(file->read(at, std::as_writable_bytes(std::span(&kept, 1))));
  if (sum != kept || (state.sound && !state.sound())) return corrupt(medium, name);
  return {};
}

Status remove_checkpoint(Medium& medium, const std::string& name) {
  for (const std::string& one : {name, name + kFresh}) {
    RIZOMA_ASSIGN(const bool there, medium.exists(one));
    if (there) RIZOMA_TRY(medium.remove(one));
  }
  return medium.sync_names();
}

}  // namespace rizoma

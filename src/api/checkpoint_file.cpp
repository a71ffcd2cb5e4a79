#include "api/checkpoint_file.h"

#include "base/checksum.h"
#include "engine/wire.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kMagic = 0x3130'5254'4941'5a52;  // "RZAITR01"
constexpr std::uint64_t kLongestHead = 1 << 20;
constexpr const char* kFresh = ".new";  // behind the name, while it is written

/// The numbers that the file begins with.
struct Fixed {
  std::uint64_t magic = kMagic;
  std::uint64_t head_bytes = 0;  ///< of all that comes before the values
  std::uint64_t fingerprint = 0;
  std::uint64_t vertices = 0;
  std::uint64_t value_bytes = 0;
  std::uint64_t figures = 0;
};

std::vector<std::byte> head_of(const CheckpointOf& of, const IterationState& state) {
  const Fixed fixed{kMagic,
                    sizeof(Fixed) + state.figures.size_bytes() + of.job.size(),
                    of.fingerprint,
                    of.vertices,
                    state.value_bytes,
                    state.figures.size()};
  WireWriter head;
  head.put(fixed);
  head.put_bytes(state.figures.data(), state.figures.size_bytes());
  head.put_bytes(of.job.data(), of.job.size());
  return std::move(head).take();
}

std::span<std::byte> bytes_of(const CheckpointOf& of, const IterationState& state) {
  return {static_cast<std::byte*>(state.values), of.vertices * state.value_bytes};
}

std::uint64_t checksum_of(std::span<const std::byte> head, std::span<const std::byte> values) {
  return checksum(values, checksum(head, kMagic));
}

Error corrupt(const Medium& medium, const std::string& name) {
  return {ErrorCode::corrupt,
          "the checkpoint " + name + " in " + medium.describe() + " is damaged; remove it, and begin the job anew"};
}

Error another(const Medium& medium, const std::string& name, const std::string& what) {
  return {ErrorCode::invalid_argument, "the checkpoint " + name + " in " + medium.describe() + " is of " + what +
                                           "; resume with the options and the state of the graph that it began with, "
                                           "or begin the job anew"};
}

/// Takes the figures and the job out of a head that `of` should match.
Status read_head(WireReader head, const Fixed& fixed, const CheckpointOf& of, const IterationState& state,
                 const Medium& medium, const std::string& name) {
  if (fixed.figures != state.figures.size() || fixed.value_bytes != state.value_bytes) {
    return another(medium, name, "another version of Rizoma");
  }
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
  const std::span<const std::byte> values = bytes_of(of, state);
  const std::uint64_t sum = checksum_of(head, values);
  {
    RIZOMA_ASSIGN(const std::unique_ptr<MediumFile> file, medium.open(fresh, FileMode::create));
    RIZOMA_TRY(file->write(0, head));
    RIZOMA_TRY(file->write(head.size(), values));
    RIZOMA_TRY(file->write(head.size() + values.size(), std::as_bytes(std::span(&sum, 1))));
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
  if (fixed.magic != kMagic || fixed.head_bytes < sizeof(Fixed) || fixed.head_bytes > kLongestHead ||
      fixed.head_bytes > size) {
    return corrupt(medium, name);
  }
  std::vector<std::byte> head(fixed.head_bytes);
  RIZOMA_TRY(file->read(0, head));
  const WireReader behind_fixed(std::span<const std::byte>(head).subspan(sizeof(Fixed)));
  RIZOMA_TRY(read_head(behind_fixed, fixed, of, state, medium, name));
  const std::span<std::byte> values = bytes_of(of, state);
  std::uint64_t sum = 0;
  if (size != head.size() + values.size() + sizeof(sum)) return corrupt(medium, name);
  RIZOMA_TRY(file->read(head.size(), values));
  RIZOMA_TRY(file->read(head.size() + values.size(), std::as_writable_bytes(std::span(&sum, 1))));
  if (sum != checksum_of(head, values) || (state.sound && !state.sound())) return corrupt(medium, name);
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

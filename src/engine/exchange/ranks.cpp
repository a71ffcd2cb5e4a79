#include <rizoma/detail/ranks.h>
#include <rizoma/placement.h>
#include <rizoma/detail/version.h>

#include "base/check.h"
#include "engine/exchange/boundary_lists.h"
#include "engine/exchange/wire.h"
#include "engine/transport.h"
#include "graph/section_proof.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

namespace rizoma {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(std::span<const Load> loads) {
  std::uint64_t hash = loads.size();
  for (const Load& load : loads) {
    hash = mixed(hash, std::bit_cast<std::uint64_t>(load.vertices));
    hash = mixed(hash, std::bit_cast<std::uint64_t>(load.edges));
  }
  return hash;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = mixed(hash, static_cast<unsigned char>(c));
  return hash;
}

std::size_t num_sections(const GraphView& graph) {
  return graph.with_out([](const auto& out) { return out.num_sections(); });
}

/// Whether two views have the same sections at the same places: each keeps its own alive.
bool same_lists(const GraphView::AnyAdjacency& one, const GraphView::AnyAdjacency& other) {
  return std::visit(
      [&]<class Lists>(const Lists& lists) {
        const Lists* const others = std::get_if<Lists>(&other);
        if (others == nullptr || lists.num_vertices() != others->num_vertices() ||
            lists.num_sections() != others->num_sections()) {
          return false;
        }
        for (SectionId s = 0; s < lists.num_sections(); ++s) {
          const auto& a = lists.section(s);
          const auto& b = others->section(s);
          if (a.targets != b.targets || a.weights != b.weights || a.changed != b.changed) return false;
          // A section that never had an edge has no bytes of its own; each view makes offsets for it.
          const bool empty = a.targets == nullptr && a.changed == nullptr;
          if (!empty && a.offsets != b.offsets) return false;
        }
        return true;
      },
      one);
}

bool same_lists(const GraphView& one, const GraphView& other) {
  const GraphView::Parts& a = one.parts();
  const GraphView::Parts& b = other.parts();
  return a.directed == b.directed && one.num_live() == other.num_live() && a.in.has_value() == b.in.has_value() &&
         same_lists(a.out, b.out) && (!a.in || same_lists(*a.in, *b.in));
}

/// Verifies this rank's sections of a graph that ranks have divided, and lets the sums of all prove that their edges
/// agree; whether there is a proof to make is the same on all ranks, or each proves all of it.
Status prove_own_sections(Ranks& ranks, SectionProof& proof, std::span<const unsigned> owners) {
  if (!proof.agreed) return proof.prove_all();
  RIZOMA_ASSIGN(const SectionProof::Found mine, proof.prove(owners, ranks.rank(), *proof.agreed));
  RIZOMA_ASSIGN(const std::vector<SectionProof::Found> found, ranks.all(mine));
  SectionProof::Found sum;
  for (const SectionProof::Found& one : found) sum += one;
  return proof.judge(sum);
}

}  // namespace

Ranks::Ranks(Transport& transport)
    : transport_(transport),
      rank_(transport.rank()),
      size_(transport.size()),
      sent_(size_),
      taken_(size_),
      sent_messages_(size_),
      received_(size_) {
  traffic_.ranks = size_;
  traffic_.between.resize(std::size_t{size_} * size_);
  traffic_.migrated.resize(std::size_t{size_} * size_);
}

Ranks::~Ranks() = default;

std::string Ranks::name_of(unsigned rank) const { return transport_.name_of(rank); }

Status Ranks::divide(const GraphView& graph) {
  const bool fits =
      settings_.owners.empty() || settings_.owners.size() == std::max<std::size_t>(num_sections(graph), 1);
  if (!fits) {
    return Error{ErrorCode::unsupported,
                 "a view that builds another graph does not run on partitions; open the whole graph"};
  }
  const bool divided = !divisions_.empty();
  const bool same_view = divided && &graph.parts() == &graph_.parts();
  bool same = same_view || (divided && same_lists(graph, graph_));
  // Of a graph that was distributed each rank sees its own lists alone, which may be the same where others' are not.
  const bool sure = same_view || settings_.owners.empty();
  if (!same || !sure || !agreed_) {
    RIZOMA_ASSIGN(same, agree_on(graph, same));
    graph_ = graph;
  }
  if (!same) divisions_.clear();
  const std::size_t known = divisions_.size();
  place();
  SectionProof* const proof = proof_of(graph_);
  if (divisions_.size() == known || proof == nullptr) return {};
  const Status proved = prove_own_sections(*this, *proof, division_->owners);
  if (!proved) divisions_.clear();  // nothing is known of it: the next call tries again
  return proved;
}

Status Ranks::divide_into_runs(const GraphView& graph, std::string_view who) {
  needs_runs_ = true;
  RIZOMA_TRY(divide(graph));
  if (settings_.partition != PlacementPolicy::round_robin) return {};
  return Error{
      ErrorCode::unsupported,
      std::string(who) + " on several ranks needs contiguous sections; set partition to auto, chunk or halves"};
}

/// Makes sure that all ranks have the same graph, settings and version.  Whether it is the `same` as before on all.
Result<bool> Ranks::agree_on(const GraphView& graph, bool same) {
  agreed_ = false;
  const Shape shape = shape_of(graph);
  SectionProof* const proof = proof_of(graph);
  WireWriter mine;
  mine.put(shape);
  mine.put(same);
  mine.put(proof != nullptr);
  if (proof != nullptr) {
    mine.put(proof->draw_keys());
    mine.put(proof->lengths);
  }
  RIZOMA_ASSIGN(const auto shapes, collective(CollectiveKind::graph, {size_, std::move(mine).take()}));
  SectionProof::Keys keys{};
  bool all_prove = true;
  std::optional<unsigned> other_lengths;
  for (unsigned rank = 0; rank < size_; ++rank) {
    WireReader reader(shapes[rank]);
    const Shape theirs = reader.get<Shape>();
    same = reader.get<bool>() && same;
    const bool proves = reader.get<bool>();
    all_prove = proves && all_prove;
    if (proves) {
      const auto drawn = reader.get<SectionProof::Keys>();
      if (rank == 0) keys = drawn;
      const bool differs = reader.get<std::uint64_t>() != (proof == nullptr ? 0 : proof->lengths);
      if (differs && proof != nullptr) other_lengths = rank;
    }
    if (theirs == shape) continue;
    if (theirs.settings != shape.settings) {
      return Error{ErrorCode::invalid_argument,
                   name_of(rank) + " divides the work differently from " + name_of(rank_) +
                       "; all ranks must have the same partition, migration, rank_cache and rank_batch"};
    }
    const char* const what = theirs.version != shape.version ? "another version of Rizoma" : "another graph";
    return Error{ErrorCode::invalid_argument,
                 name_of(rank) + " has " + what + " than " + name_of(rank_) + " (" + std::to_string(theirs.vertices) +
                     " vertices and " + std::to_string(theirs.entries) + " entries, not " +
                     std::to_string(shape.vertices) + " and " + std::to_string(shape.entries) +
                     "); all ranks must open the same state of the same store"};
  }
  if (all_prove && other_lengths) {
    return Error{ErrorCode::invalid_argument,
                 name_of(*other_lengths) + " has other lengths of neighbor lists than " + name_of(rank_) +
                     "; all ranks must open the same state of the same store: if theirs is a copy, run `rizoma check` "
                     "on both"};
  }
  if (proof != nullptr) proof->agreed = all_prove ? std::optional(keys) : std::nullopt;
  shape_ = shape;
  agreed_ = true;
  return same;
}

void Ranks::set(const RankSettings& settings) {
  if (settings == settings_) return;
  if (settings.owners != settings_.owners) forget();
  settings_ = settings;
  agreed_ = false;
}

Ranks::Shape Ranks::shape_of(const GraphView& graph) const {
  const auto [sections, bits] =
      graph.with_out([](const auto& out) { return std::pair(out.num_sections(), out.section_bits()); });
  return {graph.num_vertices(),
          graph.num_live(),
          graph.num_entries(),
          sections,
          bits,
          hash_of(section_loads(graph)),
          hash_of(std::string_view(kVersion)),
          settings_hash()};
}

std::uint64_t Ranks::settings_hash() const {
  std::uint64_t hash = mixed(settings_.partition ? static_cast<std::uint64_t>(*settings_.partition) + 1 : 0,
                             settings_.migration ? 1 : 0);
  for (const unsigned owner : settings_.owners) hash = mixed(hash, owner);
  hash = mixed(hash, settings_.batch_bytes ? *settings_.batch_bytes + 1 : 0);
  return mixed(hash, settings_.cache_bytes);
}

bool Ranks::reads_all_lists() const noexcept { return transport_.one_sided() && settings_.owners.empty(); }

void Ranks::forget() {
  graph_ = {};
  divisions_.clear();
  agreed_ = false;
}

PlacementPolicy Ranks::policy() const {
  if (settings_.partition) return *settings_.partition;
  const bool deals_out = in_degree_order_ || (distributes_ && transport_.one_sided());
  return policy_of_ranks(deals_out && !needs_runs_);
}

/// Puts the division in force that the settings and the program ask for.
void Ranks::place() {
  std::vector<Load> loads;
  if (divisions_.empty()) {
    section_bits_ = static_cast<unsigned>(shape_.section_bits);
    loads = section_loads(graph_);
    in_degree_order_ = in_degree_order(loads);
  }
  const PlacementPolicy wanted = policy();
  if (const auto known = divisions_.find(wanted); known != divisions_.end()) {
    division_ = &known->second;
    return;
  }
  Division made;  // installed once it is complete, because memory may run out for a part of it
  const VertexId vertices_each = VertexId{1} << section_bits_;
  made.owners = settings_.owners;
  if (made.owners.empty()) {
    if (loads.empty()) loads = section_loads(graph_);
    made.owners = owners_of_sections(wanted, loads, section_bits_, size_);
  }
  made.ranges.assign(size_, {});
  for (SectionId s = 0; s < shape_.sections; ++s) {
    const VertexRange range{s * vertices_each, std::min((s + 1) * vertices_each, shape_.vertices)};
    std::vector<VertexRange>& ranges = made.ranges[made.owners[s]];
    if (!ranges.empty() && ranges.back().end == range.begin) ranges.back().end = range.end;
    else ranges.push_back(range);
  }
  division_ = &divisions_.emplace(wanted, std::move(made)).first->second;
}

namespace {

/// Whether rounds of a kind bring values, lists or messages: what may be much.
bool brings_much(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::lists:
    case CollectiveKind::values:
    case CollectiveKind::active:
    case CollectiveKind::mail:
    case CollectiveKind::gather: return true;
    default: return false;
  }
}

}  // namespace

void Ranks::count(CollectiveKind kind, const std::vector<std::vector<std::byte>>& to) {
  ++rounds_;
  for (unsigned rank = 0; rank < size_; ++rank) {
    if (rank == rank_) continue;
    sent_[rank] += {to[rank].size(), 1};
    if (brings_much(kind)) packed_.alone += to[rank].size() - 1;  // without the kind
  }
}

void Ranks::count_read(unsigned rank, std::uint64_t bytes) noexcept {
  std::atomic_ref(taken_[rank].read.bytes).fetch_add(bytes, std::memory_order_relaxed);
  std::atomic_ref(taken_[rank].read.batches).fetch_add(1, std::memory_order_relaxed);
}

void Ranks::count_migrated(unsigned rank, std::uint64_t blocks) noexcept {
  std::atomic_ref(taken_[rank].blocks).fetch_add(blocks, std::memory_order_relaxed);
}

/// All ranks have ended their program: no rank reads any more.
Status Ranks::release_windows() {
  for (const unsigned window : windows_) RIZOMA_TRY(transport_.release(window));
  windows_.clear();
  return {};
}

Status Ranks::send(unsigned rank, std::vector<std::byte> message, std::uint64_t round) {
  const std::uint64_t size = message.size();
  const auto* const bytes = reinterpret_cast<const std::byte*>(&round);
  message.insert(message.end(), bytes, bytes + sizeof(round));
  RIZOMA_TRY(transport_.send(rank, std::move(message)));
  // Only now: others wait at the end for each message that is counted, and there may have been no memory for it.
  sent_[rank] += {size, 1};
  ++sent_messages_[rank];
  return {};
}

void Ranks::abort(const Error& why) noexcept { transport_.abort(why); }

Result<std::optional<Ranks::Dated>> Ranks::take_message(std::chrono::microseconds patience) {
  RIZOMA_ASSIGN(std::optional<PeerMessage> message, transport_.receive(patience));
  if (!message) return std::optional<Dated>();
  ++received_[message->from];
  Bytes& bytes = message->bytes;
  std::uint64_t round = 0;
  RIZOMA_CHECK(bytes.size() >= sizeof(round));
  std::memcpy(&round, bytes.data() + (bytes.size() - sizeof(round)), sizeof(round));
  bytes.resize(bytes.size() - sizeof(round));
  return std::optional(Dated{{message->from, std::move(bytes)}, round});
}

Result<std::optional<RankMessage>> Ranks::receive(std::chrono::microseconds patience, std::uint64_t round) {
  std::erase_if(for_later_, [&](const Dated& dated) { return dated.round < round; });
  const auto here =
      std::find_if(for_later_.begin(), for_later_.end(), [&](const Dated& dated) { return dated.round == round; });
  if (here != for_later_.end()) {
    std::optional<RankMessage> message = std::move(here->message);
    for_later_.erase(here);
    return message;
  }
  for (;;) {
    RIZOMA_ASSIGN(std::optional<Dated> dated, take_message(patience));
    if (!dated) return std::optional<RankMessage>();
    if (dated->round == round) return std::optional(std::move(dated->message));
    if (dated->round > round) for_later_.push_back(std::move(*dated));
  }
}

std::uint64_t Ranks::batch_bytes() const noexcept {
  constexpr std::uint64_t kBatch = std::uint64_t{64} << 10;
  return settings_.batch_bytes.value_or(transport_.one_sided() ? 0 : kBatch);
}

/// Drops messages that this program did not receive, before the next one.  `to_come`: all messages of each rank.
Status Ranks::take_stray_messages(std::span<const std::uint64_t> to_come) {
  using namespace std::chrono_literals;
  while (!std::equal(received_.begin(), received_.end(), to_come.begin())) RIZOMA_TRY(take_message(1ms));
  sent_messages_.assign(size_, 0);
  received_.assign(size_, 0);
  for_later_.clear();
  return {};
}

/// How this rank's program has ended, as it says in a round, and how many messages it has sent; if well, with what else
/// it has sent.
std::vector<std::byte> Ranks::final_status(const Status& status) const {
  WireWriter words;
  for (const std::uint64_t messages : sent_messages_) words.put(messages);
  words.put(status.ok());
  if (!status) {
    words.put(status.error().code);
    words.put_bytes(status.error().message.data(), status.error().message.size());
  } else {
    words.put(rounds_);
    words.put(packed_);
    words.put(unpacked_);
    for (const RankCount& sent : sent_) words.put(sent);
    for (const Taken& taken : taken_) words.put(taken);
  }
  return std::move(words).take();
}

namespace {

/// How many messages to one rank a rank of `size` whose program has ended has sent.
std::uint64_t messages_in(WireReader& words, unsigned size, unsigned to) {
  std::uint64_t messages = 0;
  for (unsigned rank = 0; rank < size; ++rank) {
    const auto of_rank = words.get<std::uint64_t>();
    if (rank == to) messages = of_rank;
  }
  return messages;
}

/// The outcome that the rank has reported.
Status status_in(WireReader& words, const std::string& name) {
  if (words.get<bool>()) return {};
  const auto code = words.get<ErrorCode>();
  const auto text = words.rest();
  return Error{code, name + ": " + std::string(reinterpret_cast<const char*>(text.data()), text.size())};
}

}  // namespace

Result<std::vector<std::vector<std::byte>>> Ranks::collective(CollectiveKind kind,
                                                              std::vector<std::vector<std::byte>> to,
                                                              FunctionRef<bool()> meanwhile) {
  RIZOMA_CHECK(to.size() == size_);
  // The kind comes last, where the payload need not move.
  for (std::vector<std::byte>& payload : to) payload.push_back(static_cast<std::byte>(kind));
  count(kind, to);
  const std::vector<std::span<const std::byte>> spans(to.begin(), to.end());
  std::exception_ptr thrown;
  const auto work = [&] {
    try {
      return thrown == nullptr && meanwhile();
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  };
  RIZOMA_ASSIGN(std::vector<Bytes> received, transport_.exchange(spans, work));
  if (thrown != nullptr) std::rethrow_exception(thrown);
  for (unsigned rank = 0; rank < size_; ++rank) {
    Bytes& payload = received[rank];
    RIZOMA_CHECK(!payload.empty());
    const auto said = static_cast<CollectiveKind>(payload.back());
    payload.pop_back();
    if (said == kind) {
      if (rank != rank_ && brings_much(kind)) unpacked_.alone += payload.size();
      continue;
    }
    if (said == CollectiveKind::ended) {
      WireReader words(payload);
      static_cast<void>(messages_in(words, size_, rank_));
      RIZOMA_TRY(status_in(words, name_of(rank)));
    }
    throw InternalError(name_of(rank) + " is in another place of the program than " + name_of(rank_));
  }
  return received;
}

Status Ranks::barrier() {
  RIZOMA_TRY(collective(CollectiveKind::barrier, std::vector<Bytes>(size_)));
  return {};
}

Status Ranks::finalize(const Status& mine) {
  Status worst = mine;
  std::vector<std::uint64_t> messages(size_);
  // Discards what others have sent in rounds that this rank's program did not reach.
  for (bool all_ended = false; !all_ended;) {
    Bytes words = final_status(mine);
    words.push_back(static_cast<std::byte>(CollectiveKind::ended));
    const std::vector<std::span<const std::byte>> to(size_, words);
    RIZOMA_ASSIGN(const std::vector<Bytes> received, transport_.exchange(to));
    all_ended = true;
    for (RankCount& count : traffic_.between) count = {};
    std::fill(traffic_.migrated.begin(), traffic_.migrated.end(), 0);
    traffic_.packed = traffic_.unpacked = {};
    for (unsigned rank = 0; rank < size_; ++rank) {
      const std::span<const std::byte> payload = received[rank];
      if (payload.empty() || static_cast<CollectiveKind>(payload.back()) != CollectiveKind::ended) {
        all_ended = false;
        continue;
      }
      WireReader reader(payload.first(payload.size() - 1));
      messages[rank] = messages_in(reader, size_, rank_);
      if (const Status theirs = status_in(reader, name_of(rank)); !theirs) {
        if (worst) worst = theirs;
        continue;
      }
      traffic_.rounds = reader.get<std::uint64_t>();
      traffic_.packed += reader.get<PackCount>();
      traffic_.unpacked += reader.get<PackCount>();
      for (unsigned to_rank = 0; to_rank < size_; ++to_rank) {
        traffic_.between[std::size_t{rank} * size_ + to_rank] += reader.get<RankCount>();
      }
      for (unsigned from = 0; from < size_; ++from) {
        const Taken taken = reader.get<Taken>();
        traffic_.between[std::size_t{from} * size_ + rank] += taken.read;
        traffic_.migrated[std::size_t{from} * size_ + rank] = taken.blocks;
      }
    }
  }
  RIZOMA_TRY(take_stray_messages(messages));
  RIZOMA_TRY(release_windows());
  rounds_ = 0;
  needs_runs_ = distributes_ = false;
  for (SharedBlock& block : shared_) block.taken = false;
  sent_.assign(size_, {});
  taken_.assign(size_, {});
  packed_ = unpacked_ = {};
  return worst;
}

Status Ranks::agree(std::string_view what, std::string_view value) {
  const auto bytes = std::as_bytes(std::span(value));
  RIZOMA_ASSIGN(const auto received, collective(CollectiveKind::graph, {size_, Bytes(bytes.begin(), bytes.end())}));
  for (unsigned rank = 0; rank < size_; ++rank) {
    const std::string_view theirs(reinterpret_cast<const char*>(received[rank].data()), received[rank].size());
    if (theirs == value) continue;
    return Error{ErrorCode::invalid_argument, name_of(rank) + " has a different " + std::string(what) + " than " +
                                                  name_of(rank_) + ": " + std::string(theirs) + ", not " +
                                                  std::string(value)};
  }
  return {};
}

Status Ranks::all_bytes(const void* mine, std::size_t bytes, void* values) {
  const auto* const data = static_cast<const std::byte*>(mine);
  RIZOMA_ASSIGN(const auto received, collective(CollectiveKind::sum, {size_, Bytes(data, data + bytes)}));
  auto* out = static_cast<std::byte*>(values);
  for (const Bytes& theirs : received) {
    RIZOMA_CHECK(theirs.size() == bytes);
    out = std::copy(theirs.begin(), theirs.end(), out);
  }
  return {};
}

Status Ranks::gather(void* values, std::size_t room, std::size_t bytes, int to) {
  const auto places = [&](const VertexRange& range) {
    return std::span(static_cast<std::byte*>(values) + range.end * room - range.size() * bytes, range.size() * bytes);
  };
  const auto needs = [&](unsigned rank) { return to == kEveryRank || static_cast<int>(rank) == to; };
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  for (unsigned rank = 0; rank < size_; ++rank) {
    if (rank == rank_) continue;
    for (const VertexRange mine : ranges_of(rank_)) {
      if (!needs(rank)) break;
      out.push_back({rank, places(mine)});
    }
    for (const VertexRange theirs : ranges_of(rank)) {
      if (!needs(rank_)) break;
      in.push_back({rank, places(theirs)});
    }
  }
  // Who is here has not ended by an Error, and all move the same: what follows needs no kind, and comes.
  RIZOMA_TRY(agree_to_gather(to, bytes));
  for (const Outgoing& some : out) sent_[some.to].bytes += some.bytes.size();
  return transport_.move(out, in);
}

Status Ranks::gather_in_place(std::size_t bytes, int to) {
  VertexId values = 0;
  for (const VertexRange mine : ranges_of(rank_)) values += mine.size();
  return gather_in_place(bytes, to, values);
}

Status Ranks::gather_in_place(std::size_t bytes, int to, VertexId values) {
  RIZOMA_TRY(agree_to_gather(to, bytes));
  for (unsigned rank = 0; rank < size_; ++rank) {
    if (rank != rank_ && (to == kEveryRank || static_cast<int>(rank) == to)) sent_[rank].bytes += values * bytes;
  }
  return {};
}

/// Otherwise a rank would wait for an answer that no rank sends.
Status Ranks::agree_to_gather(int to, std::size_t bytes) {
  WireWriter mine;
  mine.put(to);
  mine.put(bytes);
  const Bytes words = std::move(mine).take();
  RIZOMA_ASSIGN(const auto received, collective(CollectiveKind::gather, {size_, words}));
  for (unsigned rank = 0; rank < size_; ++rank) {
    if (received[rank] == words) continue;
    return Error{ErrorCode::invalid_argument, name_of(rank) + " answers to other ranks than " + name_of(rank_) +
                                                  ": all must give results to the same"};
  }
  return {};
}

}  // namespace rizoma

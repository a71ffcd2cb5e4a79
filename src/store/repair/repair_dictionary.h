// DictionaryMender: makes damaged segments of ids usable again, before anything looks an id up.
//
// What: of a segment that fails a checksum the index is made again from the ids.  If that gives the checksums that the
// segment was written with, all ids are whole.  Else an id is whole if its block is, or if the damaged index leads
// from it to its vertex (a hash of 24 bits says so); every other one is lost and gets a random stand-in, so that the
// segment can be used.  Segments of a reordered dense graph are looked at only: no look-up is needed before the
// repair reads them. How: given to a store as StoreOptions::mend_dictionary, it replaces what is mapped by bytes in
// memory; nothing is written.  Cost: reading all ids; for a damaged segment memory for its ids twice.
// Errors: none of its own; a segment whose header is damaged is left to the store, which refuses it.
#pragma once

#include <rizoma/ids.h>
#include <rizoma/result.h>

#include "platform/medium.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rizoma {

/// What is wrong with one segment.
struct DictionaryDamage {
  Error error;
  VertexRange vertices;
  VertexId lost = 0;  ///< ids that no structure holds any more
};

class DictionaryMender {
 public:
  /// A segment that can be used in the place of `segment`; `where` names its place in messages.  A segment that begins
  /// with vertex 0 begins a new reading: what was noted of the one before is forgotten.
  Mapping mend(Mapping segment, const std::string& where);
  /// The same, to be given to a store; while it is open, this must stay where it is.
  [[nodiscard]] std::function<Mapping(Mapping, const std::string&)> function() {
    return [this](Mapping segment, const std::string& where) { return mend(std::move(segment), where); };
  }

  [[nodiscard]] const std::vector<DictionaryDamage>& damage() const noexcept { return damage_; }
  /// Vertices that have stand-ins.
  [[nodiscard]] const std::set<VertexId>& lost() const noexcept { return lost_; }

 private:
  std::vector<DictionaryDamage> damage_;
  std::set<VertexId> lost_;
};

}  // namespace rizoma

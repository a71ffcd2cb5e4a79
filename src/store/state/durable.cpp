#include "store/state/durable.h"

namespace rizoma {
namespace {

RowParts to_rows(const std::vector<RowsEntry>& entries, LeaseBook& leases) {
  RowParts parts;
  for (const RowsEntry& entry : entries) {
    parts.push_back(std::make_shared<const StoredRows>(leases.of(entry.extent), entry));
  }
  return parts;
}

std::vector<RowsEntry> to_row_entries(const RowParts& parts) {
  std::vector<RowsEntry> entries;
  for (const auto& each : parts) entries.push_back(each->entry());
  return entries;
}

}  // namespace

Durable Durable::of(const ManifestState& state, LeaseBook& leases) {
  Durable durable;
  durable.out = to_parts(state.out, leases);
  durable.in = to_parts(state.in, leases);
  for (const TiedExtent& tied : state.dictionary) durable.dictionary.push_back({leases.of(tied.extent), tied.id});
  if (!state.removed.extent.empty()) durable.removed = {leases.of(state.removed.extent), state.removed.id};
  durable.edge_rows = to_rows(state.edge_rows, leases);
  durable.vertex_rows = to_rows(state.vertex_rows, leases);
  return durable;
}

void Durable::put_into(ManifestState& state) const {
  state.out = to_entries(out);
  state.in = to_entries(in);
  for (const IdentifiedExtent& tied : dictionary) state.dictionary.push_back({tied.lease->extent(), tied.id});
  state.removed = removed.lease == nullptr ? TiedExtent{} : TiedExtent{removed.lease->extent(), removed.id};
  state.edge_rows = to_row_entries(edge_rows);
  state.vertex_rows = to_row_entries(vertex_rows);
}

}  // namespace rizoma

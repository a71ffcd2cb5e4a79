#include "ingest/cell_column.h"

namespace rizoma {

void CellColumn::cut(std::size_t rows) {
  if (rows_ <= rows) return;
  rows_ = rows;
  if (first_rounded_ >= rows) first_rounded_ = std::numeric_limits<std::size_t>::max();
  if (!valid_.empty()) valid_.resize(rows);
  if (width_ != 0) {
    values_.cut(rows * width_);
  } else {
    ends_.resize(rows);
    values_.cut(rows == 0 ? 0 : ends_.back());
  }
}

ColumnValues CellColumn::take() {
  return {std::move(name_), type_, values_.take(), std::move(ends_), std::move(valid_)};
}

}  // namespace rizoma

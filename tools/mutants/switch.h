// Which mutant this program is: included before every source that rewrite.py wrote.
#pragma once

namespace rizoma {

/// Whether the program is this mutant; takes down that the place was reached.
bool mutant(unsigned number) noexcept;

}  // namespace rizoma

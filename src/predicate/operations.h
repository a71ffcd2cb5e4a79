// What each operation computes, over blocks of rows.  Module: predicate.
#pragma once

#include "predicate/program.h"
#include "predicate/values.h"

#include <span>

namespace rizoma::predicate {

/// equal .. at_least, of two operands of `type`; of wide and number as of numbers, exactly.
void compare(Operation operation, Type left, Type right, const Values& a, const Values& b, Values& to);
/// The operand is among the members.
void test_members(const Members& members, const Values& a, Values& to);

/// add .. modulo of two operands of `type`.
void calculate(Operation operation, Type type, const Values& a, const Values& b, Values& to);
/// minus, absolute, to_number, to_wide of an operand of `type`.
void convert(Operation operation, Type type, const Values& a, Values& to);

/// `and` (decisive: false) or `or` (true): combines one more operand with the result of those before it.
void join_truths(bool decisive, const Values& operand, Values& to);
/// Whether further operands cannot change the result.
[[nodiscard]] bool is_decided(bool decisive, const Values& result);
void negate_truths(const Values& a, Values& to);
void test_null(const Values& a, Values& to);
/// Puts values of an operand where `to` has none.
void fill_nulls(Type type, const Values& operand, Values& to);
[[nodiscard]] bool has_nulls(const Values& values);

/// lower, upper, length of one operand; starts_with, ends_with, contains, has, like of two or three.
void run_text(Operation operation, std::span<const Values* const> operands, Values& to);

/// year .. epoch.
void run_time(Operation operation, const Values& a, Values& to);

}  // namespace rizoma::predicate

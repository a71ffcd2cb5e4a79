// Tokens of patterns and predicates, and errors that show their place.  Module: predicate.
#pragma once

#include <rizoma/result.h>
#include <rizoma/columns.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rizoma::predicate {

/// A constant as written: a Scalar that owns its text.
using Literal = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, TimeValue>;

/// The same as a Scalar, whose text stays where it is.
[[nodiscard]] Scalar scalar_of(const Literal& literal);

enum class TokenKind : std::uint8_t { name, quoted_name, integer, decimal, text, symbol, end };

/// A piece of text; `text` is the name or the text without its quotes, or the symbol's one character.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  std::size_t begin = 0;  ///< byte offset of the first and past the last character
  std::size_t end = 0;
};

/// `what` about the character at `place` of the text: the message, the line, and a caret under the place.
[[nodiscard]] Error syntax_error(std::string_view text, std::size_t place, std::string_view what);

/// The tokens of a text, and one of kind `end`.  Errors: parse (an odd character, an open text, a text of more than
/// 64 KiB).
[[nodiscard]] Result<std::vector<Token>> tokens_of(std::string_view text);

/// Walks over the tokens of a text.
class TokenReader {
 public:
  TokenReader(std::string_view text, std::vector<Token> tokens) : text_(text), tokens_(std::move(tokens)) {}

  [[nodiscard]] const Token& now() const noexcept { return tokens_[at_]; }
  /// The token after the next one.
  [[nodiscard]] const Token& later() const noexcept { return tokens_[at_ + 1 == tokens_.size() ? at_ : at_ + 1]; }
  [[nodiscard]] bool at_end() const noexcept { return now().kind == TokenKind::end; }
  [[nodiscard]] bool is(char symbol) const noexcept { return is_at(at_, symbol); }
  /// Whether these symbols come next, with nothing between them.
  [[nodiscard]] bool is_run(std::string_view symbols) const noexcept;
  /// True if the next token is this word, in any case, and not in quotes.
  [[nodiscard]] bool is_word(std::string_view word) const noexcept;
  Token take() { return tokens_[at_ + 1 == tokens_.size() ? at_ : at_++]; }
  bool take_if(char symbol);
  bool take_run(std::string_view symbols);
  bool take_word(std::string_view word);
  /// Consumes the symbol if it comes next; otherwise an Error.
  Status expect(char symbol, std::string_view where);
  /// An Error about the next token.
  [[nodiscard]] Error error(std::string_view what) const { return syntax_error(text_, now().begin, what); }
  [[nodiscard]] Error error_at(std::size_t place, std::string_view what) const {
    return syntax_error(text_, place, what);
  }
  /// A number, a text, true, false or null, with a sign if it is a number.
  [[nodiscard]] Result<Literal> literal();
  /// True if a literal comes next, a sign aside.
  [[nodiscard]] bool is_literal() const noexcept;
  /// The next token, for messages: `"x"`, or `the end`.
  [[nodiscard]] std::string shown() const;
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

 private:
  [[nodiscard]] bool is_at(std::size_t i, char symbol) const noexcept {
    return tokens_[i].kind == TokenKind::symbol && tokens_[i].text[0] == symbol;
  }
  /// The digits of a number and the text after a leading dot; empty: no number comes next.
  std::string number_text(bool& whole);
  [[nodiscard]] bool at_leading_dot() const noexcept;

  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

/// Whether a text is a word, which is given in lower case; of A to Z either case counts.
[[nodiscard]] bool is_lower_case_of(std::string_view word, std::string_view text) noexcept;

}  // namespace rizoma::predicate

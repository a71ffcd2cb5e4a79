#include "base/letters.h"
#include "base/text.h"
#include "base/utf8.h"
#include "predicate/tokens.h"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace rizoma::predicate {
namespace {

constexpr std::string_view kSymbols = "()[]{}:,;!|*.-<>=+/%";
constexpr std::size_t kMostText = std::size_t{1} << 16;
constexpr std::size_t kShownBefore = 120;  // bytes of a line before and after the place of an error
constexpr std::size_t kShownBehind = 80;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Letters, "_" and every byte of a character beyond ASCII.
bool begins_name(char c) { return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

/// The first byte of the character that this one belongs to.
std::size_t character_at(std::string_view text, std::size_t place) {
  while (place > 0 && place < text.size() && continues_utf8(text[place])) --place;
  return place;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    if (text_.size() > kMostText) {
      return Error{ErrorCode::parse, "the text has " + std::to_string(text_.size()) + " bytes; at most 65536 are read"};
    }
    std::vector<Token> tokens;
    for (;;) {
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      RIZOMA_ASSIGN(Token token, next());
      tokens.push_back(std::move(token));
    }
    tokens.push_back({TokenKind::end, "", at_, at_});
    return tokens;
  }

 private:
  Result<Token> next() {
    const char c = text_[at_];
    if (begins_name(c)) return word();
    if (is_digit(c)) return number();
    if (c == '`') return quoted(TokenKind::quoted_name);
    if (c == '\'' || c == '"') return quoted(TokenKind::text);
    if (kSymbols.find(c) == std::string_view::npos) return syntax_error(text_, at_, problem_of(c));
    ++at_;
    return Token{TokenKind::symbol, std::string(1, c), at_ - 1, at_};
  }

  static std::string_view problem_of(char c) {
    if (c == '&') return "\"&\" has no meaning here; write \"and\"";
    if (c == '~') return "\"~\" has no meaning here; write x like 'a%', contains(x, 'a') or startswith(x, 'a')";
    if (c == '^') return "\"^\" has no meaning here; write x * x";
    if (c == '$' || c == '?' || c == '@') {
      return "a predicate has no parameters here; write the value itself, text in quotes";
    }
    return "this character has no meaning here; write text in quotes, and a name with such characters in backquotes";
  }

  Token word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (begins_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return {TokenKind::name, std::string(text_.substr(begin, at_ - begin)), begin, at_};
  }

  /// Digits, with a fraction and an exponent if it has some; "1..3" is a 1 and two dots.
  Token number() {
    const std::size_t begin = at_;
    TokenKind kind = TokenKind::integer;
    digits();
    if (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) {
      kind = TokenKind::decimal;
      ++at_;
      digits();
    }
    if (at_ < text_.size() && lower(text_[at_]) == 'e') {
      std::size_t past = at_ + 1;
      if (past < text_.size() && (text_[past] == '+' || text_[past] == '-')) ++past;
      if (past < text_.size() && is_digit(text_[past])) {
        kind = TokenKind::decimal;
        at_ = past;
        digits();
      }
    }
    return {kind, std::string(text_.substr(begin, at_ - begin)), begin, at_};
  }

  void digits() {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  }

  /// A quote within is written twice; a backslash is a character like others.
  Result<Token> quoted(TokenKind kind) {
    const std::size_t begin = at_;
    const char quote = text_[at_++];
    std::string inside;
    for (;; ++at_) {
      if (at_ == text_.size()) return never_closed(begin, quote);
      if (text_[at_] == quote) {
        if (at_ + 1 == text_.size() || text_[at_ + 1] != quote) break;
        ++at_;
      }
      inside += text_[at_];
    }
    ++at_;
    if (kind == TokenKind::quoted_name && inside.empty()) return syntax_error(text_, begin, "the name is empty");
    return Token{kind, std::move(inside), begin, at_};
  }

  [[nodiscard]] Error never_closed(std::size_t begin, char quote) const {
    std::string what = "this quote is never closed; end the text with the same quote, and write one within it twice";
    if (text_.substr(0, begin + 1).find(std::string("\\") + quote) != std::string_view::npos) {
      what += "; a backslash is a plain character";
    }
    return syntax_error(text_, begin, what);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_lower_case_of(std::string_view word, std::string_view text) noexcept {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; });
}

Scalar scalar_of(const Literal& literal) {
  return std::visit(
      [](const auto& value) -> Scalar {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>) return std::string_view(value);
        else return value;
      },
      literal);
}

Error syntax_error(std::string_view text, std::size_t place, std::string_view what) {
  place = std::min(place, text.size());
  const std::size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::size_t end = std::min(text.find('\n', place), text.size());
  const bool cut_before = place - begin > kShownBefore;
  const bool cut_behind = end - place > kShownBehind;
  if (cut_before) begin = character_at(text, place - kShownBefore);
  if (cut_behind) end = character_at(text, place + kShownBehind);
  std::string caret(cut_before ? 4 : 2, ' ');
  for (std::size_t i = begin; i < place; ++i) {
    // One column a character, not a byte; a tab stays a tab.
    if (text[i] == '\t') caret += '\t';
    else if (!continues_utf8(text[i])) caret += ' ';
  }
  std::string message(what);
  message.append(cut_before ? "\n  .." : "\n  ").append(text.substr(begin, end - begin));
  message.append(cut_behind ? "..\n" : "\n").append(caret).append("^");
  return {ErrorCode::parse, std::move(message)};
}

Result<std::vector<Token>> tokens_of(std::string_view text) { return Tokenizer(text).run(); }

bool TokenReader::is_run(std::string_view symbols) const noexcept {
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (at_ + i >= tokens_.size() || !is_at(at_ + i, symbols[i])) return false;
    if (i != 0 && tokens_[at_ + i].begin != tokens_[at_ + i - 1].end) return false;
  }
  return true;
}

bool TokenReader::is_word(std::string_view word) const noexcept {
  return now().kind == TokenKind::name && is_lower_case_of(word, now().text);
}

bool TokenReader::take_if(char symbol) {
  if (!is(symbol)) return false;
  take();
  return true;
}

bool TokenReader::take_run(std::string_view symbols) {
  if (!is_run(symbols)) return false;
  for (std::size_t i = 0; i < symbols.size(); ++i) take();
  return true;
}

bool TokenReader::take_word(std::string_view word) {
  if (!is_word(word)) return false;
  take();
  return true;
}

Status TokenReader::expect(char symbol, std::string_view where) {
  if (take_if(symbol)) return {};
  return error(std::string("expected \"") + symbol + "\" " + std::string(where) + ", not " + shown());
}

std::string TokenReader::shown() const {
  switch (now().kind) {
    case TokenKind::end: return "the end";
    case TokenKind::text: return "the text '" + now().text + "'";
    default: return '"' + now().text + '"';
  }
}

bool TokenReader::at_leading_dot() const noexcept {
  return is('.') && later().begin == now().end &&
         (later().kind == TokenKind::integer || later().kind == TokenKind::decimal);
}

bool TokenReader::is_literal() const noexcept {
  switch (now().kind) {
    case TokenKind::integer:
    case TokenKind::decimal:
    case TokenKind::text: return true;
    default: return at_leading_dot() || is_word("true") || is_word("false") || is_word("null") || is_word("none");
  }
}

std::string TokenReader::number_text(bool& whole) {
  whole = now().kind == TokenKind::integer;
  if (whole || now().kind == TokenKind::decimal) return take().text;
  if (!at_leading_dot()) return {};
  take();
  return "0." + take().text;
}

Result<Literal> TokenReader::literal() {
  const std::size_t place = now().begin;
  const bool negative = take_if('-');
  bool whole_number = false;
  if (std::string digits = number_text(whole_number); !digits.empty()) {
    if (negative) digits.insert(0, 1, '-');
    const char* const end = digits.data() + digits.size();
    std::int64_t whole = 0;
    if (whole_number && std::from_chars(digits.data(), end, whole).ec == std::errc()) return Literal(whole);
    std::uint64_t great = 0;
    if (whole_number && !negative && std::from_chars(digits.data(), end, great).ec == std::errc()) {
      return Literal(great);
    }
    double number = 0;
    const auto read = std::from_chars(digits.data(), end, number);
    if (!whole_number && read.ec == std::errc() && read.ptr == end) return Literal(number);
    return error_at(place, "this number is out of range");
  }
  if (negative) return error("expected a number after \"-\", not " + shown());
  if (now().kind == TokenKind::text) return Literal(take().text);
  if (take_word("true")) return Literal(true);
  if (take_word("false")) return Literal(false);
  if (take_word("null") || take_word("none")) return Literal(std::monostate{});
  return error("expected a number, a text in quotes, true, false or null, not " + shown());
}

}  // namespace rizoma::predicate

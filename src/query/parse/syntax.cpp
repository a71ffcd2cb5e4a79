#include "query/parse/syntax.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace rizoma::query {
namespace {

constexpr std::string_view kSymbols = "()[]{}:,;!|*.-<>=+/%";
constexpr std::size_t kMostText = std::size_t{1} << 16;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
/// Letters, "_" and every byte of a character beyond ASCII.
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run() {
    if (text_.size() > kMostText) {
      return Error{ErrorCode::parse, "a pattern of " + std::to_string(text_.size()) + " bytes; 65536 are the most"};
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
    if (kSymbols.find(c) == std::string_view::npos) {
      return syntax_error(text_, at_, "this character has no meaning here");
    }
    ++at_;
    return Token{TokenKind::symbol, std::string(1, c), at_ - 1, at_};
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

  /// A quote within is written twice.
  Result<Token> quoted(TokenKind kind) {
    const std::size_t begin = at_;
    const char quote = text_[at_++];
    std::string inside;
    for (;; ++at_) {
      if (at_ == text_.size()) return syntax_error(text_, begin, "this quote is never closed");
      if (text_[at_] == quote) {
        if (at_ + 1 == text_.size() || text_[at_ + 1] != quote) break;
        ++at_;
      }
      inside += text_[at_];
    }
    ++at_;
    if (kind == TokenKind::quoted_name && inside.empty()) return syntax_error(text_, begin, "a name is empty");
    return Token{kind, std::move(inside), begin, at_};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Error syntax_error(std::string_view text, std::size_t place, std::string_view what) {
  place = std::min(place, text.size());
  const std::size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', place), text.size());
  std::string caret(2, ' ');
  for (std::size_t i = begin; i < place; ++i) {
    // One column a character, not a byte; a tab stays a tab.
    if (text[i] == '\t') caret += '\t';
    else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) caret += ' ';
  }
  std::string message(what);
  message.append("\n  ").append(text.substr(begin, end - begin)).append("\n").append(caret).append("^");
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
  const std::string& text = now().text;
  return now().kind == TokenKind::name && text.size() == word.size() &&
         std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) { return lower(a) == b; });
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

Result<Literal> TokenReader::literal() {
  const std::size_t place = now().begin;
  const bool negative = take_if('-');
  const TokenKind kind = now().kind;
  if (kind == TokenKind::integer || kind == TokenKind::decimal) {
    const std::string digits = (negative ? "-" : "") + take().text;
    const char* const end = digits.data() + digits.size();
    std::int64_t whole = 0;
    if (kind == TokenKind::integer && std::from_chars(digits.data(), end, whole).ec == std::errc())
      return Literal(whole);
    std::uint64_t great = 0;
    if (kind == TokenKind::integer && !negative && std::from_chars(digits.data(), end, great).ec == std::errc()) {
      return Literal(great);
    }
    double number = 0;
    if (kind == TokenKind::decimal && std::from_chars(digits.data(), end, number).ec == std::errc()) {
      return Literal(number);
    }
    return error_at(place, "this number is out of range");
  }
  if (negative) return error("expected a number after \"-\", not " + shown());
  if (kind == TokenKind::text) return Literal(take().text);
  if (take_word("true")) return Literal(true);
  if (take_word("false")) return Literal(false);
  if (take_word("null")) return Literal(std::monostate{});
  return error("expected a number, a text in quotes, true, false or null, not " + shown());
}

}  // namespace rizoma::query

#include "ingest/csv_names.h"

#include "base/letters.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <unordered_map>

namespace rizoma {
namespace {

using Words = std::vector<std::string>;

/// Words that name the two ends, in pairs: one column has the first, the other the second.  The head of an arrow is its
/// target, and that of a fact in a knowledge graph its subject: both are here, so that neither is taken unasked.
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> kPairs = {{
    {"source", "target"},      {"src", "dst"},
    {"source", "destination"}, {"from", "to"},
    {"start", "end"},          {"src", "dest"},
    {"source", "dest"},        {"source", "sink"},
    {"tail", "head"},          {"sender", "receiver"},
    {"sender", "recipient"},   {"buyer", "seller"},
    {"origin", "dest"},        {"origin", "destination"},
    {"payer", "payee"},        {"caller", "callee"},
    {"follower", "followee"},  {"follower", "followed"},
    {"citing", "cited"},       {"subject", "object"},
    {"parent", "child"},       {"user", "friend"},
    {"left", "right"},         {"u", "v"},
    {"src", "target"},         {"head", "tail"},
}};

/// Names that mean an end by themselves, beside any other columns, the surest first.
constexpr std::array<std::string_view, 4> kSources = {"source", "src", "from", "u"};
constexpr std::array<std::string_view, 4> kTargets = {"target", "dst", "to", "v"};

/// Nouns that columns of vertices are called by.
constexpr std::array<std::string_view, 22> kNouns = {
    "id",   "node",    "vertex",  "user",    "person", "name",  "account", "customer", "item",  "product", "page",
    "city", "station", "airport", "company", "author", "paper", "friend",  "member",   "email", "actor",   "url"};

/// Pairs of columns that are looked at, at most: more leave open which ones are meant.
constexpr std::size_t kMostEnds = 4096;

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The last word without the suffix that distinguishes two columns: 1 and 2, or a and b.  Empty: it has none.
std::string stem(Words words, std::string_view end) {
  if (words.size() < 2 || words.back() != end) return "";
  words.pop_back();
  std::string joined;
  for (const std::string& word : words) joined += word + ' ';
  return joined;
}

/// Which columns have a word, or a stem before a last word: so that wide tables are looked through once.
class Index {
 public:
  explicit Index(const std::vector<Words>& columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (const std::string& word : columns[i]) add(of_word_[word], i);
      for (const auto& [first, second] : kNumbers) {
        if (const std::string name = stem(columns[i], second); !name.empty())
          add(of_stem_[name + std::string(second)], i);
      }
    }
  }

  /// Columns that may be the target of one with these words, ascending; not all of very many.
  [[nodiscard]] std::set<std::size_t> targets_of(std::size_t source, const Words& words) const {
    std::set<std::size_t> targets;
    const auto take = [&](const Columns& columns, const std::string& key) {
      const auto found = columns.find(key);
      if (found == columns.end()) return;
      for (const std::size_t target : found->second) {
        if (target != source) targets.insert(target);
        if (targets.size() > kMostEnds) return;
      }
    };
    for (const auto& [first, second] : kPairs) {
      if (has(words, first)) take(of_word_, std::string(second));
    }
    for (const auto& [first, second] : kNumbers) {
      if (const std::string name = stem(words, first); !name.empty()) take(of_stem_, name + std::string(second));
    }
    return targets;
  }

 private:
  using Columns = std::unordered_map<std::string, std::vector<std::size_t>>;
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNumbers = {
      {{"1", "2"}, {"a", "b"}, {"0", "1"}}};

  static void add(std::vector<std::size_t>& columns, std::size_t column) {
    if (columns.empty() || columns.back() != column) columns.push_back(column);
  }

  Columns of_word_;
  Columns of_stem_;
};

}  // namespace

std::vector<std::string> words_of_name(std::string_view name) {
  Words words;
  char before = 0;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      before = 0;
      continue;
    }
    const bool begins = before == 0 || (is_capital(c) && is_small(before)) || is_digit(c) != is_digit(before);
    if (begins) words.emplace_back();
    words.back() += lower(c);
    before = c;
  }
  return words;
}

bool speaks_of_end(std::string_view name) {
  const Words words = words_of_name(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::any_of(kPairs.begin(), kPairs.end(),
                       [&](const auto& pair) { return word == pair.first || word == pair.second; });
  });
}

bool is_column_name(std::string_view name) {
  const Words words = words_of_name(name);
  return speaks_of_end(name) || std::any_of(words.begin(), words.end(), [](const std::string& word) {
           return std::find(kNouns.begin(), kNouns.end(), word) != kNouns.end();
         });
}

std::optional<std::size_t> column_called_end(const std::vector<Words>& columns, bool source) {
  for (const std::string_view name : source ? kSources : kTargets) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].size() == 1 && columns[i][0] == name) return i;
    }
  }
  return std::nullopt;
}

std::vector<std::pair<std::size_t, std::size_t>> ends_by_name(const std::vector<std::string>& names) {
  std::vector<Words> words;
  for (const std::string& name : names) words.push_back(words_of_name(name));
  const auto exact_source = column_called_end(words, true), exact_target = column_called_end(words, false);
  if (exact_source && exact_target) return {{*exact_source, *exact_target}};
  const Index index(words);
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t source = 0; source < names.size() && found.size() < kMostEnds; ++source) {
    for (const std::size_t target : index.targets_of(source, words[source])) found.emplace_back(source, target);
  }
  // "from_id, from_name, to_id, to_name": ids identify vertices.
  const auto of_ids = [&](const auto& pair) { return has(words[pair.first], "id") && has(words[pair.second], "id"); };
  if (found.size() > 1 && std::count_if(found.begin(), found.end(), of_ids) == 1)
    return {*std::find_if(found.begin(), found.end(), of_ids)};
  const auto exact = [&](const auto& pair) { return words[pair.first].size() == 1 && words[pair.second].size() == 1; };
  if (found.size() > 1 && std::count_if(found.begin(), found.end(), exact) == 1)
    return {*std::find_if(found.begin(), found.end(), exact)};
  return found;
}

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? std::string() : std::string(between)) + text;
  return all;
}

}  // namespace rizoma

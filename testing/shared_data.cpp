#include "testing/shared_data.h"

#include <zlib.h>
#include <zstd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace rizoma::testing {
namespace {

std::string read_plain(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string read_zstd(const std::filesystem::path& file) {
  const std::string packed = read_plain(file);
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), &ZSTD_freeDStream);
  std::string text;
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  while (in.pos < in.size) {
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(stream.get(), &out, &in)) != 0) {
      throw std::runtime_error("damaged: " + file.string());
    }
    text.append(piece, 0, out.pos);
  }
  return text;
}

std::string read_gzip(const std::filesystem::path& file) {
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> in(gzopen(file.c_str(), "rb"), &gzclose);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::string text;
  std::string piece(1 << 16, '\0');
  for (int got; (got = gzread(in.get(), piece.data(), static_cast<unsigned>(piece.size()))) > 0;) {
    text.append(piece, 0, static_cast<std::size_t>(got));
  }
  return text;
}

std::filesystem::path collection() {
  if (const char* named = std::getenv("RIZOMA_SHARED")) return std::filesystem::path(named) / "data";
  return source_directory().parent_path() / "shared" / "data";
}

}  // namespace

// Set by the build for this file alone, so that a cache of objects serves other checkouts too.
std::filesystem::path source_directory() { return RIZOMA_SOURCE_DIR; }

std::optional<std::filesystem::path> shared_data(const std::string& name) {
  const std::filesystem::path path = collection() / name;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  return path;
}

bool data_required() {
  const char* set = std::getenv("RIZOMA_REQUIRE_DATA");
  return set != nullptr && *set != '\0' && std::string_view(set) != "0";
}

std::string read_all(const std::filesystem::path& file) {
  if (file.extension() == ".zst") return read_zstd(file);
  if (file.extension() == ".gz") return read_gzip(file);
  return read_plain(file);
}

std::vector<TestEdge> read_edges(const std::filesystem::path& file) {
  const std::string text = read_all(file);
  std::vector<TestEdge> edges;
  const char* at = text.c_str();
  const auto skip_blanks = [&] {
    while (*at == '\n' || *at == '\r' || *at == ' ' || *at == '\t') ++at;
  };
  for (skip_blanks(); *at != '\0'; skip_blanks()) {
    char* end = nullptr;
    TestEdge edge;
    edge.source = std::strtoull(at, &end, 10);
    edge.target = std::strtoull(end, &end, 10);
    if (*end == ' ' || *end == '\t') edge.weight = std::strtod(end, &end);
    if (end == at) throw std::runtime_error("not an edge list: " + file.string());
    edges.push_back(edge);
    at = end;
  }
  return edges;
}

std::map<std::string, std::uint64_t> known_answers(const std::string& graph) {
  std::map<std::string, std::uint64_t> figures;
  const auto file = shared_data("KNOWN_ANSWERS.txt");
  if (!file) return figures;
  std::istringstream lines(read_plain(*file));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(graph + "\t")) continue;
    for (char& c : line) c = c == '(' || c == ')' || c == '\t' ? ' ' : c;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos)
        figures.emplace(word.substr(0, equals), std::strtoull(&word[equals + 1], nullptr, 10));
    }
  }
  return figures;
}

}  // namespace rizoma::testing

#include "ingest/content_kind.h"

#include "base/letters.h"
#include "base/text.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <set>

namespace rizoma {
namespace {

/// The first bytes of a file, and the kind that they show.
struct Beginning {
  std::string_view bytes;
  std::string_view foreign;
};

constexpr std::string_view kArrow =
    "is an Arrow file; read it with pyarrow.feather.read_table, and give the table to rizoma.read";
constexpr std::string_view kArrowStream =
    "is an Arrow stream; read it with pyarrow.ipc.open_stream, and give the reader to rizoma.read";
constexpr std::string_view kPickle = "is a pickle, which runs code when it is read; if you trust it, load it yourself";
constexpr std::string_view kLfs = "is a Git LFS pointer in place of the file; fetch the file (git lfs pull)";
constexpr std::string_view kAnnex = "is a git-annex pointer in place of the file; fetch the file (git annex get)";
constexpr std::string_view kPage =
    "is a web page, such as a server sends in place of a file that needs a login or has moved; download the file again";
constexpr std::string_view kTriples =
    "is a file of RDF triples; write its subjects and objects as the columns of a CSV file";
constexpr std::string_view kDot =
    "is a GraphViz drawing; read it with networkx.nx_pydot.read_dot, and give the graph to rizoma.read";
constexpr std::string_view kXml =
    "is XML that is neither GraphML nor GEXF, perhaps an error page of a server; write the graph as one of these";
constexpr std::string_view kParquet =
    "is a Parquet file; give it a name that ends in .parquet, or say format=\"parquet\"";
constexpr std::string_view kDump = "is a database dump; export the table of edges as CSV";
constexpr std::string_view kSql =
    "is SQL; run it in its database, for example with duckdb, and give the table to rizoma.read";

constexpr std::array<Beginning, 34> kBeginnings = {{
    {"\xFD"
     "7zXZ",
     "is compressed with xz; unpack it first, or compress it with gzip or zstd"},
    {"\x1F\x8B\x08", "is compressed twice; unpack it once (gunzip), and give what is in it"},
    {"\x28\xB5\x2F\xFD", "is compressed twice; unpack it once (unzstd), and give what is in it"},
    {"\xFF\xD8\xFF", "is a picture; find the data that it shows"},
    {"GIF8", "is a picture; find the data that it shows"},
    {"\x04\x22\x4D\x18", "is compressed with lz4; unpack it first, or compress it with gzip or zstd"},
    {"PK\x03\x04", "is a ZIP archive (as are .xlsx files); unpack it, or save the table as CSV"},
    {"7z\xBC\xAF", "is a 7z archive; unpack it"},
    {"Rar!\x1A", "is a RAR archive; unpack it"},
    {"ARROW1", kArrow},
    {"\xFF\xFF\xFF\xFF", kArrowStream},
    {"\x89HDF",
     "is an HDF5 file; read it with pandas or h5py, and give the table to rizoma.read; of an .h5ad give "
     "anndata.read_h5ad(file).obsp['connectivities']"},
    {"SQLite format 3", "is an SQLite database; export the table of edges as CSV"},
    {"\x93NUMPY", "is a NumPy file; read it with numpy.load, and give the array to rizoma.read"},
    {"\x80\x02", kPickle},
    {"\x80\x03", kPickle},
    {"\x80\x04\x95", kPickle},
    {"\x80\x05\x95", kPickle},
    {"\xD0\xCF\x11\xE0", "is a spreadsheet; save it as CSV, or read it with pandas.read_excel"},
    {"Obj\x01", "is an Avro file; read it with fastavro or polars, and give the table to rizoma.read"},
    {"%PDF-", "is a PDF document; find the data that it shows"},
    {"\x89PNG", "is a picture; find the data that it shows"},
    {"version https://git-lfs.github.com/spec/", kLfs},
    {"/annex/objects/", kAnnex},
    {"HTTP/1.", kPage},
    {"HTTP/2 ", kPage},
    {"@prefix ", kTriples},
    {"@base ", kTriples},
    {">>graph6<<", "is a graph6 file; read it with networkx.read_graph6, and give the graph to rizoma.read"},
    {">>sparse6<<", "is a sparse6 file; read it with networkx.read_sparse6, and give the graph to rizoma.read"},
    {"nodedef>", "is a GDF file; save it as GEXF or GraphML with Gephi"},
    {"-- MySQL dump", kDump},
    {"--\n-- PostgreSQL database dump", kDump},
    {"@relation", "is an ARFF file; write its table as CSV"},
}};

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view without_blanks_before(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// Whether the text begins with these lower-case letters, in any case.
bool begins(std::string_view text, std::string_view small) { return is_word(text.substr(0, small.size()), small); }

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view after_first_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end == text.npos ? std::string_view() : text.substr(end + 1);
}

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The text without the lines that begin so.
std::string_view past_lines(std::string_view text, bool (*skips)(std::string_view)) {
  while (!text.empty() && skips(first_line(text))) text = after_first_line(text);
  return text;
}

/// Whether an element of HTML begins a page or a part of one, as servers send it: some element ends, too.
bool is_html(std::string_view name, std::string_view text) {
  if (begins(name, "html")) return true;
  constexpr std::array<std::string_view, 24> kElements = {
      "head", "body", "title", "meta", "link", "script", "style", "div",  "p",    "h1",   "h2",     "h3",
      "h4",   "span", "table", "tr",   "td",   "ul",     "pre",   "form", "main", "font", "center", "section"};
  const auto is_name = [&](std::string_view element) { return is_word(name, element); };
  return text.find("</") != text.npos && std::ranges::any_of(kElements, is_name);
}

/// By the name of the first element, without its prefix; nothing if that is not among these bytes.
ContentKind kind_of_markup(std::string_view text) {
  if (without_blanks_behind(first_line(text)).ends_with(" .")) return {.foreign = kTriples};
  const bool declared = begins(text, "<?xml") || begins(text, "<!doctype");
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at + 1)) {
    if (text.substr(at).starts_with("<!--")) at = std::min(text.find("-->", at), text.size());
    if (at + 1 >= text.size() || !is_letter(text[at + 1])) continue;
    std::string_view name = text.substr(at + 1, text.find_first_of(" \t\r\n/>", at + 1) - at - 1);
    name.remove_prefix(std::min(name.size(), name.find(':') + 1));
    if (name == "graphml") return {.format = "graphml"};
    if (name == "gexf") return {.format = "gexf"};
    if (is_html(name, text)) return {.foreign = kPage};
    return declared ? ContentKind{.foreign = kXml} : ContentKind{};
  }
  return {};
}

/// JSON is one document, or lines of which each is an object.
ContentKind kind_of_braces(std::string_view text) {
  const std::string_view inner = without_blanks_before(text.substr(1));
  if (text.front() == '{' && !inner.starts_with('"') && !inner.starts_with('}')) return {};
  if (text.front() == '[' && !inner.starts_with('{') && !inner.starts_with('[') && !inner.starts_with('"') &&
      !inner.starts_with(']'))
    return {};
  if (text.front() == '[') return {.format = "json"};
  const std::string_view line = without_blanks_behind(first_line(text));
  for (const std::string_view member : {"\"nodes\"", "\"links\"", "\"edges\"", "\"directed\"", "\"graph\""}) {
    if (line.find(member) != line.npos) return {.format = "json"};
  }
  const std::string_view rest = without_blanks_before(after_first_line(text));
  const bool lines = line.ends_with('}') && (rest.empty() || rest.starts_with('{'));
  return {.format = lines ? "ndjson" : "json"};
}

/// `graph [` is GML; `graph {` and `digraph name {` are GraphViz.
ContentKind kind_of_words(std::string_view text) {
  if (begins(text, "creator \"") || begins(text, "version ")) {
    for (std::size_t at = text.find("\ngraph"); at != text.npos; at = text.find("\ngraph", at + 1)) {
      if (without_blanks_before(text.substr(at + 6)).starts_with('[')) return {.format = "gml"};
    }
    return {};
  }
  std::string_view rest = text;
  if (begins(rest, "strict ")) rest = without_blanks_before(rest.substr(7));
  const std::size_t length = begins(rest, "digraph") ? 7 : begins(rest, "graph") ? 5 : 0;
  if (length == 0) return {};
  rest = without_blanks_before(rest.substr(length));
  if (length == 5 && rest.starts_with('[')) return {.format = "gml"};
  const std::size_t brace = rest.find_first_of("{\n,;");
  return brace != rest.npos && rest[brace] == '{' ? ContentKind{.foreign = kDot} : ContentKind{};
}

/// True of a statement with what tells it from words: "create table" and "select from" alone may be edges.
bool is_sql(std::string_view text) {
  text = past_lines(
      text, [](std::string_view line) { return line.starts_with("--") || without_blanks_before(line).empty(); });
  const std::string_view line = first_line(text);
  for (const std::string_view words : {"create table", "insert into", "drop table", "begin transaction", "pragma "}) {
    if (begins(line, words)) return line.find_first_of("(;") != line.npos;
  }
  if (!begins(text, "select ")) return false;
  const std::size_t several = text.find_first_of(",*");
  for (std::size_t at = several; at < text.size(); at = text.find_first_of(" \t\r\n", at + 1)) {
    if (begins(text.substr(at + 1), "from ") || begins(text.substr(at + 1), "from\n")) return true;
  }
  return false;
}

constexpr std::string_view kTgf = "is a TGF file, of vertices and then edges; write the lines behind the # alone";
constexpr std::string_view kTgfOrEdges =
    "can be read as a TGF file, of vertices with names and then edges, or as edges with a line that is a comment; of "
    "TGF write the lines behind the # alone, of edges take that line out";

/// Words of a line, of which the last may be several.
std::string_view first_word(std::string_view line) { return line.substr(0, line.find_first_of(" \t")); }
std::string_view other_words(std::string_view line) {
  return without_blanks_before(line.substr(first_word(line).size()));
}

/// "1 Ann", "2 Bob", "#", "1 2": vertices and their names, then a line with nothing but a #, then edges between them.
/// Where all names are numbers, or one is that of a vertex, the lines are edges, and the # is a comment without words.
/// Empty: it is none.
std::string_view kind_of_tgf(std::string_view text) {
  std::set<std::string_view> vertices, names;
  bool pairs = true;
  std::string_view line = without_blanks_behind(first_line(text));
  for (; line != "#"; line = without_blanks_behind(first_line(text))) {
    if (line.empty() || line.front() == '#' || !vertices.insert(first_word(line)).second) return {};
    const std::string_view name = other_words(line);
    names.insert(first_word(name));
    pairs = pairs && !name.empty() && other_words(name).empty();
    text = after_first_line(text);
  }
  const auto is_number = [](std::string_view name) { return name.find_first_not_of("+-.0123456789") == name.npos; };
  if (std::all_of(names.begin(), names.end(), [&](auto name) { return !name.empty() && is_number(name); })) return {};
  if (std::any_of(names.begin(), names.end(), [&](auto name) { return vertices.contains(name); })) return {};
  bool has_edge = false;
  for (text = after_first_line(text); !text.empty(); text = after_first_line(text)) {
    if (has_edge && text.find('\n') == text.npos) break;  // it may be cut off, and its words be others
    line = without_blanks_behind(first_line(text));
    if (line.empty()) continue;
    if (!vertices.contains(first_word(line)) || !vertices.contains(first_word(other_words(line)))) return {};
    has_edge = true;
  }
  if (!has_edge) return {};
  return pairs ? kTgfOrEdges : kTgf;
}

/// "p sp 4 5" after comments "c ...".
bool is_dimacs(std::string_view text) {
  text = past_lines(text, [](std::string_view line) {
    return line.starts_with("c ") || line == "c" || line == "c\r" || without_blanks_before(line).empty();
  });
  if (!text.starts_with("p ")) return false;
  const std::string_view line = without_blanks_behind(first_line(text));
  if (line.size() < 2) return false;  // "p" and blanks alone
  for (const std::string_view kind : {"sp", "edge", "col", "max", "min", "asn", "cnf"}) {
    if (line.substr(2).starts_with(kind) && line.size() > kind.size() + 3 && is_digit(line.back())) return true;
  }
  return false;
}

/// True of bytes that are neither UTF-8 nor, by their control characters, text of another encoding.
bool is_binary(std::string_view bytes) {
  const auto is_control = [](char c) { return (c > 0 && c < '\t') || (c > '\r' && c < ' '); };
  const auto controls = static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), is_control));
  return controls > 8 && controls > bytes.size() / 32 && !is_utf8(bytes.substr(0, bytes.find_last_of('\n')));
}

}  // namespace

ContentKind content_kind(std::string_view beginning) {
  if (beginning.starts_with("\xEF\xBB\xBF")) beginning.remove_prefix(3);
  if (beginning.size() >= 10 && beginning.starts_with("BZh") && beginning.substr(4, 6) == "1AY&SY")
    return {.foreign = "is compressed with bzip2; unpack it first, or compress it with gzip or zstd"};
  if (beginning.starts_with("PAR1\x15")) return {.format = "parquet", .foreign = kParquet};
  if (beginning.size() > 3 && beginning.starts_with("ORC") && (beginning[3] & 0x60) == 0)
    return {.foreign = "is an ORC file; read it with pyarrow.orc.read_table, and give the table to rizoma.read"};
  for (const Beginning& each : kBeginnings) {
    if (beginning.starts_with(each.bytes)) return {.foreign = each.foreign};
  }
  if (beginning.size() >= 262 && beginning.substr(257, 5) == "ustar") return {.foreign = "is a TAR archive; unpack it"};
  if (beginning.size() >= 12 && beginning.substr(8, 4) == "DUCK")
    return {.foreign = "is a DuckDB database; query it, and give the table to rizoma.read"};
  if (is_binary(beginning))
    return {.foreign = "is no text, and of no format that is known; export it as CSV with what wrote it"};
  if (begins(beginning, "%%matrixmarket")) return {.format = "matrix_market"};
  const std::string_view text = without_blanks_before(beginning);
  if (text.empty()) return {};
  if (text.front() == '<') return kind_of_markup(text);
  if (text.front() == '{' || text.front() == '[') return kind_of_braces(text);
  const std::string_view uncommented = past_lines(
      text, [](std::string_view line) { return line.starts_with('%') || without_blanks_before(line).empty(); });
  if (begins(uncommented, "*vertices") || begins(uncommented, "*network")) return {.format = "net"};
  if (begins(text, "dl ") && text.find('=') < 40)
    return {.foreign = "is a UCINET DL file; save it as GraphML or as a Pajek .net file"};
  if (const std::string_view kind = kind_of_tgf(text); !kind.empty()) return {.foreign = kind};
  if (is_dimacs(text)) return {.format = "dimacs"};
  if (is_sql(text)) return {.foreign = kSql};
  return kind_of_words(past_lines(text, [](std::string_view line) { return line.starts_with('#'); }));
}

}  // namespace rizoma

// The options that say how text is written: a line each, of which everything else is made.  Module: ingest.
//
// What: a line is a field of ReadOptions, the option of rizoma.read and of all commands that read edges, with its help
// and the check of its values, and the refusal by formats that do not have it.  A new option takes a line here, the
// code that heeds it, and its page: the signature and docstring of rizoma.read (python/rizoma/io/read.py).
// How: RIZOMA_TEXT_OPTIONS(OPTION) is OPTION(type, field, initial value, name for users, formats, help) of each.
// `formats`: see src/ingest/format_options.cpp.  A command writes the name with - for _.
#pragma once

// clang-format off
#define RIZOMA_TEXT_OPTIONS(OPTION)                                                                                   \
  OPTION(std::optional<bool>, header, {}, "header", kLineFormats,                                                     \
         "CSV: whether the first line names the columns. Default: detected.")                                         \
  OPTION(char, delimiter, 0, "delimiter", kFieldFormats, "CSV: what separates fields. Default: detected.")            \
  OPTION(char, quote, '"', "quote", kFieldFormats, "CSV: what may enclose a field; empty: nothing.")                  \
  OPTION(std::optional<std::string>, null_text, {}, "null", kFieldFormats,                                            \
         "CSV: a text that stands for no value; lines without an id or a weight are left out.")                       \
  OPTION(std::uint64_t, skip_errors, 0, "skip_bad_lines", kSkippableFormats,                                          \
         "CSV, edge lists, JSON lines: leave out up to this many malformed lines; one more is an error.")             \
  OPTION(char, decimal, '.', "decimal", kTables, "CSV: what stands before the fraction of a number: . or ,")          \
  OPTION(bool, multiline, false, "multiline", kFieldFormats,                                                          \
         "CSV: quoted fields may go over several lines (read by one process).")                                       \
  OPTION(std::optional<char>, comment, {}, "comment", kLineFormats,                                                   \
         "CSV, edge lists: what begins a comment; empty: nothing. Default: # and % in edge lists, # before the first" \
         " row of CSV.")                                                                                              \
  OPTION(std::string, thousands, {}, "thousands", kTables,                                                            \
         "CSV, text in Parquet: what separates thousands in numbers: . as in 2.720,01 (with --decimal ,).")           \
  OPTION(std::string, date_format, {}, "date_format", kTables,                                                        \
         "CSV, text in Parquet: how dates are written, such as %d.%m.%Y. Default: 2025-01-31, with a time or not.")   \
  OPTION(std::string, encoding, {}, "encoding", kTextFormats,                                                         \
         "Text in lines: latin-1, cp1252, utf-16 ... Default: utf-8, or as the first bytes of a file say.")           \
  OPTION(std::vector<RenamedColumn>, rename, {}, "rename", kTables,                                                   \
         "CSV, Parquet: another name for a column, OLD=NEW, which all other options then mean.")
// clang-format on

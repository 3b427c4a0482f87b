// Text of strangers within text that other programs read: a function for each language, and each can say any text. What no
// terminal shows as it is (terminal_text.h) is escaped, where the language has an escape, so that the result may be printed.
#pragma once

#include <string>
#include <string_view>

namespace microparquet::text {

// A string of Python, on one line. Bytes that are not UTF-8 become U+FFFD, since a string has no form for them.
std::string python_text(std::string_view text);

// A name and a string of ClickHouse, on one line.
std::string clickhouse_name(std::string_view name);
std::string clickhouse_text(std::string_view text);

// The same of DuckDB, which has no escapes for what stands in a name: line breaks and control characters stay.
std::string duckdb_name(std::string_view name);
std::string duckdb_text(std::string_view text);

// A name of Spark's SQL, which has no escapes either; within python_text() those of Python serve.
std::string spark_name(std::string_view name);

// A span of code in Markdown, printable: it shows text, and a program that needs what was masked cannot take it from there.
std::string markdown_code(std::string_view text);

// A block of code in Markdown, whose lines are those of `text`, printable as well. `language` is ours.
std::string markdown_block(std::string_view language, std::string_view text);

// A word of the shell: as it is where it needs no quotes. Of what no terminal shows there is a word in Bash, zsh and ksh only.
std::string shell_word(std::string_view text);

// The same of a file's name, which is no option for beginning with '-'.
std::string shell_path(std::string_view path);

// JSON whose strings may have any characters, as the same JSON that a terminal shows.
std::string shown_json(std::string_view json);

}  // namespace microparquet::text

"""Checks that a program links no part of the library that it does not name.

Each optional part of the library is absent from the link map of a program that does not name it, and present once the line
that names it is added, with the parts that it is said to bring and no others.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import typing

# Programs that name nothing optional. What is put in place of a name in braces names one part.
WRITER = """#include "program.h"
using namespace named;
struct Row { std::int32_t a = 0; {member} };
constexpr auto kSchema = schema(column("a", &Row::a){compressor} {column});
constexpr Options make_options() {
  Options options;
  options.layout = &kInPlaceNoCheckpoints;
  {option}
  return options;
}
constexpr Options kOptions = make_options();
StaticWriter<kSchema, kOptions> writer;
Row row;
Status status;
void call() { {call}; }
int main() {
  status = writer.open(file);
  status = writer.append(row);
  call();
  status = writer.close();
}
"""
READER = """#include "program.h"
using namespace named;
constexpr const Decoder* kDecoders[] = {&kPlainFixedDecoder {decoder}};
constexpr ReaderOptions make_options() {
  ReaderOptions options;
  options.decoders = kDecoders;
  {option}
  return options;
}
constexpr ReaderOptions kOptions = make_options();
Reader reader;
Status status;
void call() { {call}; }
int main() {
  status = reader.open(file, kOptions, memory);
  status = reader.choose_all();
  status = reader.next_row();
  call();
}
"""


class Part(typing.NamedTuple):
    sections: str  # those of the link map, "object symbol"
    program: str
    naming: dict  # by place in the program
    brings: tuple = ()


def stored(member):
    return {"member": f"{member} b = {{}};", "column": ', column("b", &Row::b)'}


PARTS = {
    "forward layout": Part(r"forward_layout", WRITER,
                           {"option": "options.layout = &kForward; options.row_group_bytes = 8192;"}),
    "checkpoints": Part(r"checkpointed_layout", WRITER, {"option": "options.layout = &kInPlace;"}),
    "page index": Part(r"(page_notes|page_index_writer|indexed_in_place) ", WRITER, {"option": "options.layout = &kIndexed;"}),
    "blocks": Part(r"page_lengthening .*(kBlocksE|11place_draft|4suit)", WRITER, {"option": "options.block_bytes = 4096;"}, ("page lengthening",)),
    "page lengthening": Part(r"page_lengthening .*(padding_of|lengthened)", WRITER,
                             {"option": "options.page_bytes = 256; options.whole_sectors = false;"}),
    "small CRC-32": Part(r"crc32_small", WRITER, {"option": "options.checksum = &crc32_small;"}),
    "sort checker": Part(r"sort_checker", WRITER, {"option": "options.sorting = sorted_by(kByA);"}),
    "levels": Part(r"levels .*(LevelEncoder|hybrid_levels)", WRITER, stored("std::optional<std::int32_t>"), ("extent forecast",)),
    "arrays": Part(r"array_(encoder|row_group) ", WRITER,
                   {"member": "std::array<std::int32_t, 4> b = {};", "column": ', list("b", &Row::b)'}),
    "lists": Part(r"list_(levels|rows|forecast) ", WRITER, {"member": "List<std::int32_t, 4> b = {};", "column": ', list("b", &Row::b)'},
                  ("levels", "extent forecast", "arrays")),
    "differences in lists": Part(r"list_deltas ", WRITER,
                                 {"member": "List<std::int32_t, 4> b = {};", "column": ', list("b", &Row::b).with_encoder(kDeltaBinaryPacked)'},
                                 ("lists", "levels", "extent forecast", "arrays", "encoder of deltas", "page encodings")),
    "indices in lists": Part(r"list_runs .*dictionary_row_bytes", WRITER,
                             {"member": "List<std::int32_t, 4> b = {};", "column": ', list("b", &Row::b).with_encoder(kDictionary)'},
                             ("lists", "levels", "extent forecast", "arrays", "encoder of dictionaries", "dictionary pages", "encoder of runs",
                              "page encodings")),
    "levels of structs": Part(r"deep_levels ", WRITER,
                              {"member": "std::optional<Within> b;",
                               "column": ', group("b", &Row::b, column("c", &Within::c))'}, ("levels", "extent forecast")),
    "booleans": Part(r"plain .*boolean", WRITER, stored("bool"), ("bounds of booleans",)),
    "bounds of booleans": Part(r"numeric .*(update|bounds_of)_boolean", WRITER, stored("bool"), ("booleans",)),
    "byte arrays": Part(r"plain .*byte_array", WRITER, stored("std::string_view"), ("bounds of bytes", "extent forecast")),
    "bounds of bytes": Part(r"binary .*_binary", WRITER, stored("std::array<std::uint8_t, 5>")),
    "bounds of float": Part(r"numeric .*update_floatE", WRITER, stored("float")),
    "bounds of double": Part(r"numeric .*update_double", WRITER, stored("double")),
    "bounds of int64": Part(r"numeric .*update_int64", WRITER, stored("std::int64_t")),
    "page transform": Part(r"page_transform .*place_transformed", WRITER, {"compressor": ".with_compressor(kSqueeze)"},
                           ("page encodings", "extent forecast")),
    "page encodings": Part(r"page_transform .*(note_page_encoding|write_encoded_row_group)", WRITER, {"compressor": ".with_encoder(kDeltaBinaryPacked)"},
                           ("encoder of deltas", "extent forecast")),
    "encoder of deltas": Part(r"delta_encoder", WRITER, {"compressor": ".with_encoder(kDeltaBinaryPacked)"},
                              ("page encodings", "extent forecast")),
    "encoder of runs": Part(r"rle_boolean .*(boolean_runs|RunEncoder)", WRITER,
                            {"member": "bool b = {};", "column": ', column("b", &Row::b).with_encoder(kRleBoolean)'},
                            ("page encodings", "bounds of booleans", "extent forecast")),
    "compression to LZ4_RAW": Part(r"lz4_raw_compressor", WRITER, {"compressor": ".with_compressor(kLz4RawCompressor)"},
                                   ("page transform", "page encodings", "extent forecast")),
    "split pages": Part(r"page_transform .*(copy_split|transform_split)", WRITER,
                        {"member": "float b = 0;", "column": ', column("b", &Row::b).with_encoder(kByteStreamSplit)'},
                        ("page transform", "page encodings", "extent forecast", "bounds of float")),
    "sector tails": Part(r"page_lengthening .*([tT]ails|store_whole_sectors)", WRITER, {"compressor": ".with_compressor(kLz4RawCompressor).with_page_bytes(1024)"},
                         ("compression to LZ4_RAW", "page transform", "page encodings", "extent forecast", "page lengthening")),
    "encoder of dictionaries": Part(r"dictionary_encoder .*(expect|freeze)_dictionary_fixed", WRITER, {"compressor": ".with_encoder(kDictionary)"},
                                    ("dictionary pages", "page encodings", "encoder of runs", "extent forecast")),
    "dictionary pages": Part(r"dictionary_pages .*(head_bytes|write_page)", WRITER, {"compressor": ".with_encoder(kTableEncoder)"},
                             ("page encodings", "extent forecast")),
    "counts of dictionaries": Part(r"dictionary_pages .*dictionary_counts", WRITER,
                                   {"call": "static std::uint32_t counted; counted = writer.dictionary_counts(0).fallbacks"}),
    "resume": Part(r"writer_resume .*(read_footer|start_from_footer)|.*(any_chunk_begins|resume_segments)", WRITER, {"call": "status = writer.resume(file)"}),
    "reconnect": Part(r"writer_reconnect .*(verify_open|find_chunks)", WRITER, {"call": "status = writer.reconnect(file)"}, ("resume",)),
    "roll": Part(r"writer .*(begin_next|Writer4roll)", WRITER, {"call": "status = writer.roll(file)"}),
    "key-values": Part(r"writer .*put_key_valueE", WRITER, {"call": 'status = writer.set_key_value("key", "value")'}),
    "file start": Part(r"writer .*(begin_with_id|14put_key_values)", WRITER, {"call": "status = writer.open(file, FileStart{})"}, ("key-values",)),
    "run-time plan": Part(r"writer .*place_plan", WRITER,
                          {"call": "static Writer other; status = other.open(file, {}, kOptions, memory)"},
                          ("blocks", "page lengthening", "sector tails", "extent forecast")),
    # Values of several widths have no line of their own that brings it.
    "extent forecast": Part(r"extent_plan .*(least_page|expect_rows|extend_last)", WRITER, stored("std::optional<std::int32_t>"), ("levels",)),
    "decoder of booleans": Part(r"plain .*PlainBooleanDecoder", READER, {"decoder": ", &kPlainBooleanDecoder"}),
    "decoder of byte arrays": Part(r"plain .*PlainByteArrayDecoder", READER, {"decoder": ", &kPlainByteArrayDecoder"}),
    "decoder of split bytes": Part(r"byte_stream_split_decoder", READER, {"decoder": ", &kByteStreamSplitDecoder"}),
    "decoder of wide split bytes": Part(r"byte_stream_split_decoder .*Wide", READER, {"decoder": ", &kWideByteStreamSplitDecoder"},
                                        ("decoder of split bytes", "page room")),
    "decoder of decimals": Part(r"alp_decoder", READER, {"decoder": ", &kAlpDecoder"}),
    "decoder of deltas": Part(r"delta_decoder .*microparquet12DeltaDecoder", READER, {"decoder": ", &kDeltaDecoder"}),
    "decoder of lengths": Part(r"delta_decoder .*18DeltaLengthDecoder", READER, {"decoder": ", &kDeltaLengthDecoder"}),
    "decoder of prefixes": Part(r"delta_decoder .*(21DeltaByteArrayDecoder|17DeltaFixedDecoder)", READER, {"decoder": ", &kDeltaByteArrayDecoder"}, ("page room",)),
    "levels in BIT_PACKED": Part(r"levels .*read_bit_packed_levels", READER,
                                 {"option": "options.bit_packed_levels = &read_bit_packed_levels;"}, ("page room",)),
    "page room": Part(r"page .*make_room", READER, {"decoder": ", &kDeltaFixedDecoder"}, ("decoder of prefixes",)),
    "decoder of runs": Part(r"rle_boolean .*RleBooleanDecoder", READER, {"decoder": ", &kRleBooleanDecoder"}, ("runs of small numbers",)),
    "decoder of dictionaries": Part(r"rle_dictionary_decoder", READER, {"decoder": ", &kFixedDictionaryDecoder"},
                                    ("runs of small numbers", "dictionary page")),
    "runs of small numbers": Part(r"rle_boolean .*HybridRuns", READER, {"decoder": ", &kRleBooleanDecoder"}, ("decoder of runs",)),
    "dictionary page": Part(r"page .*detail15take_dictionary", READER, {"decoder": ", &kByteArrayDictionaryDecoder"},
                            ("runs of small numbers", "decoder of dictionaries")),
    "SNAPPY": Part(r"snappy_decompressor", READER, {"option": "options.decompressors = kSnappy;"},
                   ("decompression", "page memory")),
    "LZ4_RAW": Part(r"lz4_raw_decompressor", READER, {"option": "options.decompressors = kLz4Raw;"},
                    ("decompression", "page memory")),
    "decompression": Part(r"page .*begin_compressed_page", READER,
                          {"option": "options.decompressors = kDecompressors;"}, ("page memory",)),
    "page memory": Part(r"page .*set_page_memory", READER,
                        {"call": "status = reader.open(mapped_file, kOptions, memory)"}, ("mapped file",)),
    "mapped file": Part(r"reader .*(MappedPages|read_in_place)", READER,
                        {"call": "status = reader.open(mapped_file, kOptions, memory)"}, ("page memory",)),
    "filter": Part(r"row_filter .*(make_range|bound_allows|RangeFilter)", READER, {"call": "reader.set_filter(&kFilter)"}),
    "skipped rows": Part(r"rows .*8skip_row", READER, {"call": "status = reader.skip_row()"}),
    "seek to a row": Part(r"seek .*Reader8seek_row", READER, {"call": "status = reader.seek_row(1)"}, ("runs", "passed pages")),
    "row group index": Part(r"row_filter .*13RowGroupIndex", READER,
                            {"call": "status = RowGroupIndex(reader, row_group_places).seek_row(1)"},
                            ("runs", "passed pages", "seek to a row")),
    "index places": Part(r"page_index .*(find_index_places|enter_entry)", READER, {"call": "bool may; status = may_contain(reader, 0, {}, may)"},
                         ("bloom filter",)),
    "size statistics": Part(r"reader .*15size_statistics", READER,
                            {"call": "std::uint64_t levels[3]; SizeStatistics sizes; status = size_statistics(reader, 0, levels, sizes)"},
                            ("index places",)),
    "sizes of pages": Part(r"page_index .*page_size_statistics", READER,
                           {"call": "std::uint64_t levels[3]; SizeStatistics sizes[1]; status = page_size_statistics(reader, 0, levels, sizes)"},
                           ("index places",)),
    "bloom filter": Part(r"(bloom_filter|xxhash64) ", READER, {"call": "bool may; status = may_contain(reader, 0, {}, may)"},
                         ("index places",)),
    "page filter": Part(r"page_index .*10PageFilter", READER, {"call": "RowRanges rows(places); status = kPageFilter.select(reader, rows)"},
                        ("page index", "index places", "filter", "row ranges")),
    "page index": Part(r"page_index .*microparquet9PageIndex", READER, {"call": "status = PageIndex(memory).read(reader, 0)"}, ("index places",)),
    "seek by index": Part(r"page_index .*seek_row_by_index", READER, {"call": "status = seek_row_by_index(reader, 0, 1)"},
                          ("runs", "passed pages", "seek to a row", "index places")),
    "seek in a column": Part(r"seek .*10seek_value", READER, {"call": "status = reader.seek_value(0, 1)"},
                             ("runs", "passed pages")),
    "passed pages": Part(r"rows .*7pass_to", READER, {"call": "status = reader.seek_value(0, 1)"}, ("runs", "seek in a column")),
    "selected rows": Part(r"row_filter .*SelectedRows", READER,
                          {"call": "status = SelectedRows(reader, kRowFilter, places).next()"},
                          ("runs", "passed pages", "row ranges", "seek to a row")),
    "selected column": Part(r"row_filter .*SelectedColumn", READER,
                            {"call": "AnyBatch batch; status = SelectedColumn(reader, 0, places).next_batch(batch)"},
                            ("runs", "passed pages", "batches", "seek in a column")),
    "row ranges": Part(r"row_filter _ZN12microparquet9RowRanges", READER, {"call": "RowRanges(places).add({1, 2})"}),
    "skipped pages": Part(r"rows .*9skip_page", READER,
                          {"call": "std::uint64_t rows; status = reader.skip_page(rows)"}, ("runs",)),
    "items": Part(r"items .*(ItemsOf|next_repeated_page)", READER, {"call": "Item item; status = reader.next_item(0, item)"}),
    "items in batches": Part(r"items .*10next_items", READER, {"call": "AnyBatch batch; status = reader.next_items(0, batch)"},
                             ("items",)),
    "choice of items": Part(r"choose_items ", READER, {"call": "status = reader.choose_items(kChoices)"}),
    "seek to items": Part(r"seek .*10seek_items", READER, {"call": "status = reader.seek_items(0, 1)"},
                          ("items", "runs", "seek in a column", "passed pages", "passed items")),
    "passed items": Part(r"items .*pass_items_to", READER, {"call": "status = reader.seek_items(0, 1)"},
                         ("items", "runs", "seek in a column", "passed pages", "seek to items")),
    "skipped pages of items": Part(r"items .*skip_page_of_items", READER,
                                   {"call": "std::uint64_t rows; status = reader.skip_page_of_items(0, rows)"},
                                   ("items", "skipped pages", "passed items")),
    "records": Part(r"records", READER, {"call": "Event event; status = Records(reader, memory).next(event)"}, ("items",)),
    "rows of lists": Part(r"nested_rows ", READER, {"call": "status = lists_reader.open(file); Lists row; status = lists_reader.next(row)"},
                          ("items", "choice of items", "schema cursor")),
    "batches": Part(r"rows .*(10next_batch|8next_run)", READER,
                    {"call": "Batch<std::int32_t> batch({}, {}); status = reader.next_batch(0, batch)"},
                    ("runs",)),
    "runs": Part(r"rows .*(peek_run|pass_run)", READER, {"call": "ColumnRun run; status = reader.next_run(0, run)"}, ("batches",)),
    "values": Part(r"rows .*8next_rowENS", READER, {"call": "status = reader.next_row(Span<Value>())"}),
    "schema cursor": Part(r"reader .*SchemaCursor|logical_type", READER,
                          {"call": "SchemaElement element; status = SchemaCursor(reader).next({}, element)"}),
    "key-value cursor": Part(r"reader .*KeyValueCursor", READER,
                             {"call": "KeyValue pair; status = KeyValueCursor(reader).next({}, pair)"}),
    "find a column": Part(r"reader .*11find_column", READER, {"call": 'std::uint32_t i; status = reader.find_column("a", i)'}),
    "statistics": Part(r"reader .*17column_statistics", READER,
                       {"call": "ColumnStatistics s; status = reader.column_statistics(0, {}, s)"}),
    "moved buffers": Part(r"choose_buffers .*11move_buffer", READER, {"call": "status = reader.move_buffer(0, memory)"}),
    "chosen buffers": Part(r"choose_buffers .*6choose", READER, {"call": "status = reader.choose(kChoices)"}),
    "failure": Part(r"reader .*7failure", READER, {"call": "status = reader.failure().status"}),
}


class Linker:
    """Compiles and links programs as the build in a folder does, against its library."""

    def __init__(self, root, build, work):
        commands = json.loads((build / "compile_commands.json").read_text())
        command = next(shlex.split(c["command"]) for c in commands if c["file"].endswith("/src/base/status.cpp"))
        # Its programs use nothing of what they name, and a header compiled by itself has a #pragma once.
        self.compile = [*command[:command.index("-o")], f"-I{work}", "-Wno-error"]
        self.machine = [argument for argument in command if argument.startswith("-m")]
        self.library = build / "src/libmicroparquet.a"
        self.work = work
        # Read once for all programs.
        header = work / "program.h"
        header.write_text((root / "tests/linkmap/program.h").read_text())
        self.run(*self.compile, "-x", "c++-header", header, "-o", f"{header}.gch")

    @staticmethod
    def run(*command):
        result = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise RuntimeError(result.stderr)

    def sections(self, name, program, naming):
        """The sections of the library that the program takes, as "object symbol"."""
        for place in re.findall(r"\{(\w+)\}", program):
            program = program.replace("{" + place + "}", naming.get(place, ""))
        stem = self.work / re.sub(r"\W", "_", name)
        stem.with_suffix(".cpp").write_text(program)
        self.run(*self.compile, "-c", stem.with_suffix(".cpp"), "-o", stem.with_suffix(".o"))
        # The C library's functions are there: newer linkers make no call to a place that is unknown.
        self.run("arm-none-eabi-g++", *self.machine, "-nostartfiles", "-Wl,--gc-sections", "-Wl,--entry=main",
                 "-Wl,--unresolved-symbols=ignore-all", "-Wl,--no-warn-rwx-segments", f"-Wl,-Map={stem}.map",
                 stem.with_suffix(".o"), self.library, "-o", stem.with_suffix(".elf"))
        linked = stem.with_suffix(".map").read_text().split("Linker script and memory map")[1]
        found = re.findall(r"^ \.(?:text|rodata)\.(\S+)\s+0x\w+\s+0x(\w+) \S*libmicroparquet\.a\((\w+)", linked, re.M)
        return [f"{source} {symbol}" for symbol, size, source in found if int(size, 16)]


def parts_in(sections):
    return {name for name, part in PARTS.items() if any(re.match(part.sections, section) for section in sections)}


def check_parts(check, root, build, work):
    """check(name, faults) is called for each program."""
    work.mkdir(parents=True, exist_ok=True)
    linker = Linker(root, build, work)
    programs = {"writer": (WRITER, {}, set()), "reader": (READER, {}, set())}
    programs |= {name: (part.program, part.naming, {name, *part.brings}) for name, part in PARTS.items()}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {name: pool.submit(linker.sections, name, program, naming) for name, (program, naming, _) in programs.items()}
        for name, (_, _, expected) in programs.items():
            found = parts_in(runs[name].result())
            check(f"a {name} that names nothing links nothing optional" if not expected else f"{name}: linked when it is named",
                  {f"not {part}" for part in expected - found} | {f"also {part}" for part in found - expected})

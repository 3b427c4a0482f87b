// Writes the rows of a Parquet file again, as parquet-go writes them.
//
//	parquet_go IN OUT [-codec NAME] [-version N] [-group-rows N] [-page-bytes N]
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

var codecs = map[string]compress.Codec{
	"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "brotli": &parquet.Brotli,
	"zstd": &parquet.Zstd, "lz4": &parquet.Lz4Raw,
}

func main() {
	flags := flag.NewFlagSet("parquet_go", flag.ExitOnError)
	codec := flags.String("codec", "snappy", "of all columns")
	version := flags.Int("version", 2, "of data pages")
	groupRows := flags.Int64("group-rows", 0, "of each row group; 0: as it likes")
	pageBytes := flags.Int("page-bytes", 0, "of a page; 0: as it likes")
	if len(os.Args) < 3 {
		flags.Usage()
		os.Exit(2)
	}
	_ = flags.Parse(os.Args[3:])
	options := []parquet.WriterOption{parquet.Compression(codecs[*codec]), parquet.DataPageVersion(*version)}
	if *pageBytes != 0 {
		options = append(options, parquet.PageBufferSize(*pageBytes))
	}
	if err := rewrite(os.Args[1], os.Args[2], *groupRows, options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func rewrite(in, out string, groupRows int64, options []parquet.WriterOption) error {
	from, err := os.Open(in)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(from, info.Size())
	if err != nil {
		return err
	}
	to, err := os.Create(out)
	if err != nil {
		return err
	}
	defer to.Close()
	writer := parquet.NewGenericWriter[any](to, append(options, file.Schema())...)
	for _, group := range file.RowGroups() {
		if err := copyRows(writer, group, groupRows); err != nil {
			return err
		}
	}
	return writer.Close()
}

// copyRows ends a row group after each `groupRows` rows.
func copyRows(writer *parquet.GenericWriter[any], group parquet.RowGroup, groupRows int64) error {
	rows := group.Rows()
	defer rows.Close()
	block := make([]parquet.Row, 1000)
	written := int64(0)
	for {
		wanted := int64(len(block))
		if groupRows != 0 {
			wanted = min(wanted, groupRows-written%groupRows)
		}
		n, err := rows.ReadRows(block[:wanted])
		if _, failed := writer.WriteRows(block[:n]); failed != nil {
			return failed
		}
		written += int64(n)
		if groupRows != 0 && n != 0 && written%groupRows == 0 {
			if failed := writer.Flush(); failed != nil {
				return failed
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Reads Parquet files with parquet-go, page by page.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"microparquet/interop/values"
)

func main() {
	values.Main(values.ModuleVersion("github.com/parquet-go/parquet-go"), read)
}

func read(path string, out *values.File) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return err
	}
	for _, path := range file.Schema().Columns() {
		out.Columns[path[0]] = []any{}
	}
	for i, group := range file.RowGroups() {
		for j, chunk := range group.ColumnChunks() {
			name := file.Schema().Columns()[j][0]
			if err := readChunk(chunk, name, out); err != nil {
				return err
			}
			readStatistics(file, i, j, name, out)
		}
	}
	return nil
}

func readChunk(chunk parquet.ColumnChunk, name string, out *values.File) error {
	pages := chunk.Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := readPage(page, name, out); err != nil {
			return err
		}
		parquet.Release(page)
	}
}

func readPage(page parquet.Page, name string, out *values.File) error {
	reader := page.Values()
	batch := make([]parquet.Value, 512)
	for {
		n, err := reader.ReadValues(batch)
		for _, v := range batch[:n] {
			out.Columns[name] = append(out.Columns[name], physical(v))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func physical(v parquet.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Kind() == parquet.Boolean:
		return v.Boolean()
	case v.Kind() == parquet.Int32:
		return v.Int32()
	case v.Kind() == parquet.Int64:
		return v.Int64()
	case v.Kind() == parquet.Float:
		return values.Float(v.Float())
	case v.Kind() == parquet.Double:
		return values.Double(v.Double())
	}
	return values.Bytes(v.ByteArray())
}

func readStatistics(file *parquet.File, group, column int, name string, out *values.File) {
	meta := file.Metadata().RowGroups[group].Columns[column].MetaData
	found := values.Statistics{Rows: file.Metadata().RowGroups[group].NumRows, NullCount: &meta.Statistics.NullCount}
	if meta.Statistics.MinValue != nil {
		found.Min = values.Bound(meta.Statistics.MinValue)
	}
	if meta.Statistics.MaxValue != nil {
		found.Max = values.Bound(meta.Statistics.MaxValue)
	}
	out.Statistics[name] = append(out.Statistics[name], found)
}

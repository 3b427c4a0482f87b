// Reads Parquet files with arrow-go's column readers.
package main

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"microparquet/interop/values"
)

const batchRows = 1024

func main() {
	values.Main(values.ModuleVersion("github.com/apache/arrow-go/v18"), read)
}

func read(path string, out *values.File) error {
	reader, err := file.OpenParquetFile(path, false)
	if err != nil {
		return err
	}
	defer reader.Close()
	schema := reader.MetaData().Schema
	for i := 0; i < schema.NumColumns(); i++ {
		out.Columns[schema.Column(i).Name()] = []any{}
	}
	for i := 0; i < reader.NumRowGroups(); i++ {
		group := reader.RowGroup(i)
		for j := 0; j < group.NumColumns(); j++ {
			if err := readChunk(group, j, out); err != nil {
				return err
			}
		}
	}
	return nil
}

func readChunk(group *file.RowGroupReader, index int, out *values.File) error {
	reader, err := group.Column(index)
	if err != nil {
		return err
	}
	name := reader.Descriptor().Name()
	found, err := readValues(reader)
	if err != nil {
		return err
	}
	out.Columns[name] = append(out.Columns[name], found...)
	return readStatistics(group, index, name, out)
}

func readValues(reader file.ColumnChunkReader) ([]any, error) {
	switch r := reader.(type) {
	case *file.BooleanColumnChunkReader:
		return batches(r, func(v bool) any { return v })
	case *file.Int32ColumnChunkReader:
		return batches(r, func(v int32) any { return v })
	case *file.Int64ColumnChunkReader:
		return batches(r, func(v int64) any { return v })
	case *file.Float32ColumnChunkReader:
		return batches(r, func(v float32) any { return values.Float(v) })
	case *file.Float64ColumnChunkReader:
		return batches(r, func(v float64) any { return values.Double(v) })
	case *file.ByteArrayColumnChunkReader:
		return batches(r, func(v parquet.ByteArray) any { return values.Bytes(v) })
	case *file.FixedLenByteArrayColumnChunkReader:
		return batches(r, func(v parquet.FixedLenByteArray) any { return values.Bytes(v) })
	}
	return nil, fmt.Errorf("no reader for %s", reader.Type())
}

// typedReader is what all column readers have, each for its own type of value.
type typedReader[T any] interface {
	file.ColumnChunkReader
	ReadBatch(size int64, values []T, definitionLevels, repetitionLevels []int16) (int64, int, error)
}

// batches returns a chunk's values with null where the definition level says so.
func batches[T any](reader typedReader[T], physical func(T) any) ([]any, error) {
	var found []any
	present := make([]T, batchRows)
	levels := make([]int16, batchRows)
	maximum := reader.Descriptor().MaxDefinitionLevel()
	for reader.HasNext() {
		rows, _, err := reader.ReadBatch(batchRows, present, levels, nil)
		if err != nil {
			return nil, err
		}
		next := 0
		for i := 0; i < int(rows); i++ {
			if maximum > 0 && levels[i] < maximum {
				found = append(found, nil)
				continue
			}
			found = append(found, physical(present[next]))
			next++
		}
	}
	return found, reader.Err()
}

func readStatistics(group *file.RowGroupReader, index int, name string, out *values.File) error {
	chunk, err := group.MetaData().ColumnChunk(index)
	if err != nil {
		return err
	}
	statistics, err := chunk.Statistics()
	if err != nil {
		return err
	}
	found := values.Statistics{Rows: group.NumRows()}
	if statistics != nil {
		nulls := statistics.NullCount()
		found.NullCount = &nulls
		if statistics.HasMinMax() {
			found.Min, found.Max = values.Bound(statistics.EncodeMin()), values.Bound(statistics.EncodeMax())
		}
	}
	out.Statistics[name] = append(out.Statistics[name], found)
	return nil
}

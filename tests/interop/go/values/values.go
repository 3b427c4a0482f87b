// Package values prints what a reader found in a file as one line of JSON, in physical values: integers as numbers,
// floating-point values as their bits in hexadecimal, byte arrays in hexadecimal, null for null.
package values

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime/debug"
)

// Statistics of one column chunk, as the reader hands them out; bounds PLAIN, in hexadecimal; null: not shown.
type Statistics struct {
	Rows      int64   `json:"rows"`
	NullCount *int64  `json:"null_count"`
	Min       *string `json:"min"`
	Max       *string `json:"max"`
}

// File is what was found in one file. Error says why it was refused.
type File struct {
	Path       string                  `json:"path"`
	Error      string                  `json:"error,omitempty"`
	Columns    map[string][]any        `json:"columns"`
	Statistics map[string][]Statistics `json:"statistics"`
}

func Float(v float32) string  { return fmt.Sprintf("%08x", math.Float32bits(v)) }
func Double(v float64) string { return fmt.Sprintf("%016x", math.Float64bits(v)) }
func Bytes(v []byte) string   { return hex.EncodeToString(v) }

// Bound is a bound of statistics in hexadecimal.
func Bound(v []byte) *string {
	text := Bytes(v)
	return &text
}

// Main reads each file named on the command line and prints a line for it. A panic counts as a refusal.
func Main(version string, read func(path string, out *File) error) {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	if err := encoder.Encode(map[string]string{"version": version}); err != nil {
		panic(err)
	}
	for _, path := range os.Args[1:] {
		if err := encoder.Encode(readFile(path, read)); err != nil {
			panic(err)
		}
	}
}

func readFile(path string, read func(path string, out *File) error) (out File) {
	out = File{Path: path, Columns: map[string][]any{}, Statistics: map[string][]Statistics{}}
	defer func() {
		if reason := recover(); reason != nil {
			out = File{Path: path, Error: fmt.Sprintf("panic: %v", reason)}
		}
	}()
	if err := read(path, &out); err != nil {
		return File{Path: path, Error: err.Error()}
	}
	return out
}

// ModuleVersion is the version of a dependency of this program.
func ModuleVersion(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return dependency.Version
		}
	}
	return "unknown"
}

package engine

// This file implements what coverage has to know of a script before it runs.

import (
	"fmt"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/engine/luavm"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// Countable returns what an engine with a Recorder counts of a script that
// Redis compiles.
func Countable(file *source.File) (coverage.Script, error) {
	chunk, _ := syntax.Parse(file)
	if r := chunk.Refusal; r != nil {
		return coverage.Script{}, fmt.Errorf("%s: %s", file.Name, r.Message)
	}
	points, err := luavm.Points(chunk)
	if err != nil {
		return coverage.Script{}, err
	}
	s := coverage.Script{SHA1: digest(file.Text), File: file, Points: points}
	for _, c := range chunk.Comments {
		s.Comments = append(s.Comments, c.Pos)
	}
	return s, nil
}

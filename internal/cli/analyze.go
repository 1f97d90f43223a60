package cli

// This file stands for the analysis: what a script's text alone tells.

import (
	"crypto/sha1"
	"encoding/hex"
	"path"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
	"github.com/luagen/luagen/internal/types"
)

// analyze makes the model of a script.
func analyze(file *source.File) (*script.Script, []diag.Diagnostic) {
	_, diags := syntax.Parse(file)
	sum := sha1.Sum([]byte(file.Text))
	return &script.Script{
		Name:   script.Exported(strings.TrimSuffix(path.Base(file.Name), ".lua")),
		Source: file.Text,
		SHA1:   hex.EncodeToString(sum[:]),
		Reply:  script.Reply{Type: types.Any, From: script.TypeDefault},
	}, diags
}

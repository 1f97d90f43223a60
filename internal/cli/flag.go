package cli

// This file implements a flag that takes one of a few words.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/diag"
)

// oneOf is the value of such a flag. It is a pflag.Value.
type oneOf struct {
	value   string
	choices []string
}

// register adds the flag to a command, with completion of its words.
func (o *oneOf) register(command *cobra.Command, name, usage string) {
	command.Flags().Var(o, name, usage+": "+strings.Join(o.choices, ", "))
	// It fails for a flag that is not there, or there twice: neither is so.
	_ = command.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(o.choices, cobra.ShellCompDirectiveNoFileComp))
}

// Set takes one of the words.
func (o *oneOf) Set(word string) error {
	if !slices.Contains(o.choices, word) {
		hint := ""
		if near := diag.Nearest(word, o.choices); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		}
		return fmt.Errorf("expected one of %s%s", strings.Join(o.choices, ", "), hint)
	}
	o.value = word
	return nil
}

// String returns the value.
func (o *oneOf) String() string { return o.value }

// Type names the kind of value in the help.
func (o *oneOf) Type() string { return "format" }

package cli

// This file implements luagen lint.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/diag/render"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/lint/rules"
	"github.com/luagen/luagen/internal/project"
	"github.com/luagen/luagen/internal/source"
)

// lintRun is one run of luagen lint.
type lintRun struct {
	*app
	format   string
	failOn   string
	rules    string // the flag --rules
	fix      bool
	baseline string
	stdin    string // the name that standard input has; empty when it is not read
}

func (a *app) lintCommand() *cobra.Command {
	format := oneOf{value: "text", choices: []string{"text", "json", "sarif", "github"}}
	failOn := oneOf{value: "warning", choices: []string{"error", "warning", "info"}}
	run := lintRun{app: a}
	command := &cobra.Command{
		Use:   "lint [path...] [--format text|json|sarif|github] [--fix]",
		Short: "Find what fails or lies on a server",
		Long: `Lint follows what scripts do and reports what Redis refuses, what fails on some
input, and what is never true. A path is a project, a folder of scripts, one
script, or Go source: a package, a folder with /... behind it, or a .go file,
whose scripts are checked where they stand. luagen explain RULE says more of a
finding.

A finding that is meant so is suppressed by a comment behind the line or above
it, -- luagen:allow RULE REASON, or for the script by -- @allow RULE REASON.

--rules takes names of rules and groups, with commas between: a,b runs only
those, +a adds one that is off, -a leaves one out. luagen.yaml does the same
under lint.

--baseline FILE leaves out the findings that FILE lists. When there is no such
file it is written with all that is found now.`,
		Example: `  luagen lint
  luagen lint --fix lua/queue
  luagen lint ./...
  luagen lint --rules +strict,-float-return
  luagen lint --format sarif > luagen.sarif
  luagen lint --stdin-filename lua/x.lua < buffer`,
		ValidArgsFunction: completePaths,
		RunE: func(_ *cobra.Command, paths []string) error {
			run.format, run.failOn = format.value, failOn.value
			return run.lint(paths)
		},
	}
	format.register(command, "format", "how to print findings")
	failOn.register(command, "fail-on", "the least severity that makes the exit status 1")
	command.Flags().BoolVar(&run.fix, "fix", false, "change the files where the change is mechanical")
	command.Flags().StringVar(&run.rules, "rules", "", "which rules and groups run")
	command.Flags().StringVar(&run.baseline, "baseline", "", "a file of findings to leave out, written when it is not there")
	command.Flags().StringVar(&run.stdin, "stdin-filename", "", "read one script from standard input; messages use this name")
	return command
}

// lint finds, fixes and prints.
func (r *lintRun) lint(paths []string) error {
	list, err := r.find(paths)
	if err != nil {
		return err
	}
	if r.fix {
		fixed, err := r.applyFixes(list)
		if err != nil {
			return err
		}
		if fixed > 0 {
			r.tell("luagen: fixed %s\n", count(fixed, "finding"))
			if list, err = r.find(paths); err != nil {
				return err
			}
		}
	}
	if r.baseline != "" {
		if list, err = r.withoutBaseline(list); err != nil {
			return err
		}
	}
	if err := r.print(list); err != nil {
		return fmt.Errorf("writing findings: %w", err)
	}
	limit := map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "info": diag.Info}[r.failOn]
	if slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Severity <= limit }) {
		return exit(statusFindings)
	}
	return nil
}

// find returns what there is to say of paths, or of standard input.
func (r *lintRun) find(paths []string) ([]diag.Diagnostic, error) {
	if r.stdin != "" {
		return r.findStdin(paths)
	}
	projects, err := r.open(paths)
	if err != nil {
		return nil, err
	}
	var list []diag.Diagnostic
	for _, p := range projects {
		check, err := r.checker(&p.Config)
		if err != nil {
			return nil, err
		}
		found, err := p.Lint(check)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return diag.Sort(list), nil
}

// findStdin checks one script that an editor hands in. The configuration is
// that of the name's folder, where there is one.
func (r *lintRun) findStdin(paths []string) ([]diag.Diagnostic, error) {
	if len(paths) > 0 || r.fix {
		return nil, &project.UsageError{Message: "--stdin-filename goes with neither paths nor --fix"}
	}
	data, err := io.ReadAll(r.app.stdin)
	if err != nil {
		return nil, fmt.Errorf("reading standard input: %w", err)
	}
	config := project.Defaults()
	if projects, _, err := project.Open(r.stdin); err == nil && len(projects) == 1 {
		config = projects[0].Config
	}
	check, err := r.checker(&config)
	if err != nil {
		return nil, err
	}
	text, _, _ := source.Normalize(string(data))
	return check(source.New(r.stdin, text), analysis.Options{Target: config.Target}), nil
}

// checker returns what lints one script by a configuration and the flags.
func (r *lintRun) checker(config *project.Config) (func(*source.File, analysis.Options) []diag.Diagnostic, error) {
	set, err := r.ruleSet(config)
	if err != nil {
		return nil, err
	}
	options := lint.Options{Profile: config.Profile, Modules: config.Modules, Set: set}
	return func(file *source.File, o analysis.Options) []diag.Diagnostic {
		result := analysis.Examine(file, o)
		return lint.Run(result, rules.All, options)
	}, nil
}

// ruleSet is what luagen.yaml and --rules say of rules.
func (r *lintRun) ruleSet(config *project.Config) (lint.Set, error) {
	var set lint.Set
	var wrong []diag.Diagnostic
	levels := map[string]diag.Severity{"info": diag.Info, "warning": diag.Warning, "error": diag.Error}
	for _, s := range config.Lint.Rules {
		if !isRule(s.Rule) {
			d := diag.Diagnostic{Rule: project.RuleConfig, Severity: diag.Error, File: s.File, Span: s.Span, Message: "there is no rule or group " + s.Rule}
			if near := diag.Nearest(s.Rule, rules.Names()); near != "" {
				d.Help = "did you mean " + near + "?"
			}
			wrong = append(wrong, d)
		} else if level, on := levels[s.Severity]; on {
			set.SetSeverity(s.Rule, level)
		} else {
			set.Disable(s.Rule)
		}
	}
	if err := r.report(wrong); err != nil {
		return set, err
	}
	for _, word := range strings.FieldsFunc(r.rules, func(c rune) bool { return c == ',' || c == ' ' }) {
		name := strings.TrimLeft(word, "+-")
		if !isRule(name) {
			message := "there is no rule or group " + name
			if near := diag.Nearest(name, rules.Names()); near != "" {
				message += "; did you mean " + near + "?"
			}
			return set, &project.UsageError{Message: message}
		}
		switch word[0] {
		case '+':
			set.Enable(name)
		case '-':
			set.Disable(name)
		default:
			set.Only(name)
		}
	}
	return set, nil
}

func isRule(name string) bool {
	return rules.Find(name) != nil || slices.Contains(lint.Groups, lint.Group(name))
}

// applyFixes changes files and returns how many findings that mends.
func (r *lintRun) applyFixes(list []diag.Diagnostic) (int, error) {
	texts, applied := lint.Fixes(list)
	for file, text := range texts {
		if err := rewrite(file.Name, text); err != nil {
			return 0, fmt.Errorf("writing %s: %w", file.Name, plainCause(err))
		}
	}
	return applied, nil
}

// rewrite writes a script's new text, with the line ends and the byte order
// mark that the file has.
func rewrite(name, text string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	_, bom, crlf := source.Normalize(string(old))
	if crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if bom {
		text = "\uFEFF" + text
	}
	return os.WriteFile(name, []byte(text), 0o666) // it is there, so its mode stays
}

// plainCause takes the path from an error that names it elsewhere.
func plainCause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// known is a finding in a baseline: lines move, so they are not in it.
type known struct {
	Rule    string `json:"rule"`
	File    string `json:"file"`
	Message string `json:"message"`
	Count   int    `json:"count"`
}

// withoutBaseline leaves out what the baseline has, or writes it.
func (r *lintRun) withoutBaseline(list []diag.Diagnostic) ([]diag.Diagnostic, error) {
	key := func(d *diag.Diagnostic) known {
		return known{Rule: d.Rule, File: d.Position().Filename, Message: d.Message}
	}
	data, err := os.ReadFile(r.baseline)
	if errors.Is(err, fs.ErrNotExist) {
		var all []known
		for i := range list {
			k := key(&list[i])
			at := slices.IndexFunc(all, func(o known) bool { o.Count = 0; return o == k })
			if at < 0 {
				at, all = len(all), append(all, k)
			}
			all[at].Count++
		}
		data, err := json.MarshalIndent(map[string]any{"findings": all}, "", "  ")
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(r.baseline, append(data, '\n'), 0o644); err != nil {
			return nil, fmt.Errorf("writing %s: %w", r.baseline, plainCause(err))
		}
		r.tell("luagen: wrote %s to %s\n", count(len(list), "finding"), r.baseline)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", r.baseline, plainCause(err))
	}
	var file struct{ Findings []known }
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, &project.UsageError{Message: fmt.Sprintf("%s is no baseline: %v", r.baseline, err)}
	}
	left := map[known]int{}
	for _, k := range file.Findings {
		n := k.Count
		k.Count = 0
		left[k] += n
	}
	return slices.DeleteFunc(list, func(d diag.Diagnostic) bool {
		k := key(&d)
		left[k]--
		return left[k] >= 0
	}), nil
}

// print writes findings in the chosen format, to standard output.
func (r *lintRun) print(list []diag.Diagnostic) error {
	switch r.format {
	case "json":
		return render.JSON(r.stdout, list)
	case "github":
		return render.GitHub(r.stdout, list)
	case "sarif":
		return render.SARIF(r.stdout, list, sarifRules(), version())
	}
	return render.Text(r.stdout, list, r.colour(r.stdout))
}

func sarifRules() []render.SARIFRule {
	var list []render.SARIFRule
	for _, rule := range rules.All {
		list = append(list, render.SARIFRule{
			ID: rule.Name, Severity: rule.Severity, Summary: rule.Doc.What, Help: rule.Page(), URI: ruleURI(rule.Name), Tags: []string{string(rule.Group)},
		})
	}
	return list
}

// ruleURI is where a rule's page is.
func ruleURI(name string) string {
	return "https://github.com/luagen/luagen/blob/main/docs/rules/" + name + ".md"
}

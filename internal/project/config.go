// Package project turns folders of scripts into models and wrappers: it reads
// luagen.yaml, finds the scripts, puts their includes in, has them analysed,
// and writes what is generated. It prints nothing.
package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// This file implements the configuration: what luagen.yaml may say, and what
// holds without it.

// ConfigName is the name of the configuration file.
const ConfigName = "luagen.yaml"

// Config is what luagen.yaml says, with defaults for what it does not.
type Config struct {
	File           *source.File // the text of luagen.yaml; nil without one
	Scripts        []Folder
	Target         command.Target // the oldest server that the scripts must run on
	Profile        []string       // further constraints on the scripts: cluster, dragonfly, proxy
	Modules        []string       // server modules whose commands are known: JSON, FT
	Client         string         // the Go client that the wrappers call
	ParameterLimit int            // more parameters than this become a struct
	Lint           Lint
}

// Folder is a tree of scripts and the Go package that its wrappers make.
// Folders below Dir make packages below Out.
type Folder struct {
	Dir     string // slashes, relative to the configuration's folder
	Out     string // slashes, relative to the configuration's folder
	Package string // name of the package in Out; "" derives it from Out

	span source.Span // of Dir in the configuration
}

// Lint configures the linter.
type Lint struct {
	Rules   []RuleSetting
	Exclude []string // patterns of files, relative to the configuration's folder
}

// RuleSetting changes one rule. Its span is that of the rule's name in the
// configuration, for whoever knows which rules there are.
type RuleSetting struct {
	Rule     string
	Severity string // off, info, warning or error
	File     *source.File
	Span     source.Span
}

// RuleConfig is the rule of diagnostics about luagen.yaml.
const RuleConfig = "config"

// The choices for settings that have some.
var (
	profiles   = []string{"cluster", "dragonfly", "proxy"}
	modules    = []string{"BF", "CF", "CMS", "FT", "JSON", "TDIGEST", "TOPK", "TS", "VSET"}
	clients    = []string{"go-redis"}
	severities = []string{"off", "info", "warning", "error"}
)

// defaultOut is where wrappers go when nothing says otherwise.
const defaultOut = "generated"

// Defaults is the configuration of a project without luagen.yaml.
func Defaults() Config {
	return Config{
		Scripts:        []Folder{{Dir: "lua", Out: defaultOut}},
		Target:         command.Default,
		Client:         "go-redis",
		ParameterLimit: 4,
	}
}

// readConfig reads the configuration in a folder. It reports false when there
// is none. name is how diagnostics call the file.
func readConfig(folder, name string) (Config, []diag.Diagnostic, bool, error) {
	data, err := os.ReadFile(filepath.Join(folder, ConfigName))
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil, false, nil
	}
	if err != nil {
		return Config{}, nil, false, fmt.Errorf("reading %s: %w", name, cause(err))
	}
	text, _, _ := source.Normalize(string(data))
	config, diags := parseConfig(source.New(name, text))
	return config, diags, true, nil
}

// parseConfig reads the text of a luagen.yaml. The configuration is of use
// only when no diagnostic is an error.
func parseConfig(file *source.File) (Config, []diag.Diagnostic) {
	config := Defaults()
	config.File = file
	r := &yamlReader{file: file}
	root := r.parse()
	if root == nil {
		return config, r.diags
	}
	r.fields(*root, "luagen.yaml", []yamlField{
		{"version", func(v yamlValue) { r.integer(v, "version", 1, 1) }},
		{"scripts", func(v yamlValue) { config.Scripts = r.folders(v) }},
		{"target", func(v yamlValue) { config.Target = r.target(v) }},
		{"profile", func(v yamlValue) { config.Profile = r.choices(v, "profile", profiles) }},
		{"modules", func(v yamlValue) { config.Modules = r.choices(v, "modules", modules) }},
		{"client", func(v yamlValue) { config.Client = r.choice(v, "client", clients) }},
		{"parameter_limit", func(v yamlValue) {
			if n, ok := r.integer(v, "parameter_limit", 1, 100); ok {
				config.ParameterLimit = n
			}
		}},
		{"lint", func(v yamlValue) { config.Lint = r.lint(v) }},
	})
	return config, r.diags
}

// target reads the setting target.
func (r *yamlReader) target(v yamlValue) command.Target {
	var names []string
	for _, t := range command.Targets() {
		names = append(names, t.String())
	}
	target, err := command.ParseTarget(r.choice(v, "target", names))
	if err != nil {
		return command.Default // it has been reported
	}
	return target
}

// folders reads the setting scripts.
func (r *yamlReader) folders(v yamlValue) []Folder {
	var folders []Folder
	outs := make(map[string]source.Span)
	for _, item := range r.list(v, "scripts", "a list of {dir, out, package}") {
		folder, span := Folder{Out: defaultOut}, item.span
		found := r.fields(item, "an entry of scripts", []yamlField{
			{"dir", func(v yamlValue) { folder.Dir, folder.span = r.folder(v, "dir"), v.span }},
			{"out", func(v yamlValue) { folder.Out, span = r.folder(v, "out"), v.span }},
			{"package", func(v yamlValue) { folder.Package = r.packageName(v) }},
		})
		if !found["dir"] && item.isMap() {
			r.errorf(item.span, "add the folder that holds the scripts, as in dir: lua", "an entry of scripts has no dir")
		}
		if folder.Dir == "" || folder.Out == "" {
			continue // it has been reported
		}
		if base := path.Base(folder.Out); folder.Package == "" && (base == "." || base == "..") {
			r.errorf(span, "add package: NAME", "the package in %s has no name, as its folder's may differ from checkout to checkout", folder.Out)
		}
		if first, taken := outs[folder.Out]; taken {
			r.errorf(span, "give each entry an out of its own", "out %s is taken by another entry of scripts", folder.Out)
			last := &r.diags[len(r.diags)-1]
			last.Notes = append(last.Notes, diag.Note{File: r.file, Span: first, Message: "the other entry"})
			continue
		}
		outs[folder.Out] = span
		folders = append(folders, folder)
	}
	return folders
}

// folder reads a path relative to the configuration; "" is one that it reported.
func (r *yamlReader) folder(v yamlValue, key string) string {
	text, ok := r.text(v, key)
	switch {
	case !ok:
		return ""
	case text == "":
		r.errorf(v.span, "name a folder, relative to "+ConfigName, "%s is empty", key)
		return ""
	case path.IsAbs(filepath.ToSlash(text)) || filepath.IsAbs(text):
		r.errorf(v.span, "write it relative to "+ConfigName+", so that every machine generates the same", "%s is an absolute path", key)
		return ""
	}
	return path.Clean(filepath.ToSlash(text))
}

// packageName reads a Go package name.
func (r *yamlReader) packageName(v yamlValue) string {
	text, ok := r.text(v, "package")
	if ok && !validPackage(text) {
		r.errorf(v.span, fmt.Sprintf("a package name is lower-case letters and digits, as in %s", PackageName(text)),
			"package %q is not a Go package name", text)
	}
	return text
}

// lint reads the setting lint.
func (r *yamlReader) lint(v yamlValue) Lint {
	var lint Lint
	r.fields(v, "lint", []yamlField{
		{"rules", func(v yamlValue) {
			for _, pair := range r.pairs(v, "rules", "a map of rule names to "+oneOf(severities)) {
				lint.Rules = append(lint.Rules, RuleSetting{
					Rule:     pair.key,
					Severity: r.choice(pair.value, "the rule "+pair.key, severities),
					File:     r.file,
					Span:     pair.keySpan,
				})
			}
		}},
		{"exclude", func(v yamlValue) {
			for _, item := range r.list(v, "exclude", "a list of file patterns") {
				if pattern, ok := r.text(item, "a pattern of exclude"); ok {
					if _, err := path.Match(pattern, ""); err != nil {
						r.errorf(item.span, "close the bracket, or escape it with a backslash", "%q is not a file pattern", pattern)
					}
					lint.Exclude = append(lint.Exclude, pattern)
				}
			}
		}},
	})
	return lint
}

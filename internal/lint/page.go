package lint

// This file implements the pages of docs/rules, and what luagen explain prints.

import (
	"fmt"
	"regexp"
	"strings"
)

var marks = regexp.MustCompile(` ?--\[\[want "[a-z0-9-]+"\]\]`)

// BadExample is the bad example without the marks of its test.
func (d *Doc) BadExample() string { return marks.ReplaceAllString(d.Bad, "") }

// Facts is one line: severity, group, targets, whether it fixes.
func (r *Rule) Facts() string {
	facts := []string{r.Severity.String(), "group " + string(r.Group)}
	if r.Group.OptIn() {
		facts[1] += ", off unless asked for"
	}
	if r.Targets != "" {
		facts = append(facts, "on "+r.Targets)
	}
	if r.Fixable {
		facts = append(facts, "fixed by luagen lint --fix where that is mechanical")
	}
	return strings.Join(facts, "; ")
}

// Page is the rule's page, in Markdown.
func (r *Rule) Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n<!-- Written by go test ./internal/lint/rules -run TestPages -update. -->\n\n", r.Name)
	fmt.Fprintf(&b, "%s.\n\n*%s*\n\n%s\n\n", capital(r.Doc.What), r.Facts(), r.Doc.Why)
	fmt.Fprintf(&b, "Bad:\n\n```lua\n%s```\n\nGood:\n\n```lua\n%s```\n\n", r.Doc.BadExample(), r.Doc.Good)
	fmt.Fprintf(&b, "Where it is meant so, say why: `-- luagen:allow %s REASON` behind the line or above it.\n", r.Name)
	for i, link := range r.Doc.Links {
		if i == 0 {
			b.WriteString("\nSee also:\n\n")
		}
		fmt.Fprintf(&b, "- <%s>\n", link)
	}
	return b.String()
}

// IndexPage is the index of the pages.
func IndexPage(rules []*Rule) string {
	var b strings.Builder
	b.WriteString("# The rules of luagen lint\n\n<!-- Written by go test ./internal/lint/rules -run TestPages -update. -->\n\n")
	b.WriteString("`luagen explain RULE` prints a page. Groups marked *opt-in* are off unless asked for: `luagen lint --rules +strict`,\nor under `lint:` in luagen.yaml.\n")
	for _, g := range Groups {
		head := false
		for _, r := range rules {
			if r.Group != g {
				continue
			}
			if !head {
				head = true
				optIn := ""
				if g.OptIn() {
					optIn = " (opt-in)"
				}
				fmt.Fprintf(&b, "\n## %s%s\n\n| rule | severity | finds | targets | fix |\n|---|---|---|---|---|\n", g, optIn)
			}
			fix := ""
			if r.Fixable {
				fix = "yes"
			}
			fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s | %s |\n", r.Name, r.Name, r.Severity, r.Doc.What, r.Targets, fix)
		}
	}
	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

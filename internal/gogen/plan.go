package gogen

// This file implements the planning of a package: which declarations it has
// and what they are called. Names are given in the order of their importance,
// so that the one a reader would miss is never the one that gets a number.

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

// planPackage decides every name of a package.
func planPackage(pkg Package) (*plan, error) {
	if pkg.ParameterLimit == 0 {
		pkg.ParameterLimit = DefaultParameterLimit
	}
	scripts := slices.Clone(pkg.Scripts)
	slices.SortStableFunc(scripts, func(a, b *script.Script) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.File, b.File))
	})
	if err := checkNames(scripts); err != nil {
		return nil, err
	}
	p := &plan{Package: pkg}
	files := newFileNames()
	for _, s := range scripts {
		p.units = append(p.units, &unit{plan: p, script: s, file: files.name(s)})
	}

	names := newNames("Scripts", "New", "Interface", "Pipeline", "Registry")
	for _, u := range p.units {
		u.reserve(names)
	}
	p.planErrors(names)
	var errs []error
	for _, u := range p.units {
		errs = append(errs, u.planSignature(names)...)
	}
	if len(errs) > 0 {
		return nil, joined(errs)
	}
	for _, u := range p.units {
		u.nameParts(names)
	}
	p.planImports()
	return p, nil
}

// taken are the methods that Scripts and Pipeline have of their own.
var taken = map[string]string{
	"Pipeline": "the method that begins a pipeline",
	"Tx":       "the method that begins a transaction",
	"Queue":    "the method that joins a pipeline of the caller's own",
	"Exec":     "the method that sends a pipeline",
}

// checkNames refuses scripts whose Go name is another's or none.
func checkNames(scripts []*script.Script) error {
	var errs []error
	for i, s := range scripts {
		switch {
		case !token.IsIdentifier(s.Name) || !token.IsExported(s.Name):
			errs = append(errs, &ScriptError{Script: s, Reason: fmt.Sprintf("%q is no exported Go name: give the script one with @name", s.Name)})
		case taken[s.Name] != "":
			errs = append(errs, &ScriptError{Script: s, Reason: fmt.Sprintf("%s is %s: give the script another name with @name", s.Name, taken[s.Name])})
		case i > 0 && scripts[i-1].Name == s.Name:
			errs = append(errs, &ClashError{Name: s.Name, First: scripts[i-1], Second: s})
		}
	}
	return joined(errs)
}

// names are the package-level names that are given.
type names map[string]bool

func newNames(fixed ...string) names {
	n := names{}
	for _, f := range fixed {
		n[f] = true
	}
	return n
}

// take gives out the first candidate that is free, or the last one with a
// number behind it.
func (n names) take(candidates ...string) string {
	for _, c := range candidates {
		if !n[c] {
			n[c] = true
			return c
		}
	}
	last := candidates[len(candidates)-1]
	for i := 2; ; i++ {
		if name := script.Numbered(last, i); !n[name] {
			n[name] = true
			return name
		}
	}
}

// reserve takes the names that every reader of the package expects.
func (u *unit) reserve(names names) {
	s := u.script
	u.variable = names.take(s.Name + "Script")
	if len(s.Keys)+len(s.Args) > u.plan.ParameterLimit {
		u.params = names.take(s.Name + "Params")
	}
	if s.Reply.Go == "" && isNamed(whole(s.Reply.Type)) {
		u.replyName = names.take(s.Name + "Reply")
	}
	if n := len(s.Args); n > 0 && s.Args[n-1].Go == "" {
		if _, ok := s.Args[n-1].Type.(*types.Tuple); ok {
			u.itemName = names.take(s.Name + "Item")
		}
	}
}

// whole returns the type of a reply that is there.
func whole(t types.Type) types.Type {
	for {
		o, ok := t.(*types.Optional)
		if !ok {
			return t
		}
		t = o.Elem
	}
}

func isNamed(t types.Type) bool {
	switch t.(type) {
	case *types.Enum, *types.Tuple:
		return true
	}
	return false
}

// planErrors names the error codes that scripts declare, each once.
func (p *plan) planErrors(names names) {
	byCode := map[string]*errorCode{}
	for _, u := range p.units {
		for _, e := range u.script.Errors {
			if !e.Tag {
				continue
			}
			known := byCode[e.Code]
			if known == nil {
				known = &errorCode{code: e.Code}
				byCode[e.Code] = known
				p.errors = append(p.errors, known)
			}
			known.doc = cmp.Or(known.doc, e.Doc)
		}
	}
	slices.SortFunc(p.errors, func(a, b *errorCode) int { return strings.Compare(a.code, b.code) })
	for _, e := range p.errors {
		e.name = names.take("Err" + cmp.Or(suffix(e.code), "Code"))
	}
}

// errorName returns the Go name of a declared code.
func (p *plan) errorName(code string) string {
	i, _ := slices.BinarySearchFunc(p.errors, code, func(e *errorCode, code string) int { return strings.Compare(e.code, code) })
	return p.errors[i].name
}

// suffix returns a name as it stands behind another.
func suffix(name string) string {
	exported := script.Exported(name)
	if bare := strings.TrimPrefix(exported, "X"); bare != exported && !strings.HasPrefix(strings.ToLower(name), "x") {
		return bare // Exported's X is for the beginning of a name
	}
	return exported
}

// nameParts names what hangs on the types: constants and functions.
func (u *unit) nameParts(names names) {
	u.builder = u.takeFunction(names, script.Param(u.script.Name)+"Call")
	for _, n := range u.named {
		enum, ok := n.typ.(*types.Enum)
		if !ok {
			continue
		}
		for i, m := range distinct(enum) {
			label := cmp.Or(m.Name, m.Word)
			name := cmp.Or(suffix(label), "Value"+strconv.Itoa(i+1))
			if label == "" {
				name = "Empty"
			}
			n.members = append(n.members, &constant{name: names.take(n.name + name), label: label, member: m})
		}
	}
	for _, n := range u.named {
		if n.decoded {
			n.decoder = u.takeFunction(names, "decode"+n.name)
		}
	}
}

// takeFunction takes a name for a function that methods call, so it is none of
// their parameters' either.
func (u *unit) takeFunction(names names, name string) string {
	for _, s := range u.slots() {
		if s.name == name {
			names[name] = true
		}
	}
	return names.take(name)
}

// distinct returns the members of an enum without those whose value an earlier
// one has.
func distinct(enum *types.Enum) []types.Member {
	var members []types.Member
	for _, m := range enum.Members {
		same := func(o types.Member) bool { return enum.Text && o.Word == m.Word || !enum.Text && o.Int == m.Int }
		if !slices.ContainsFunc(members, same) {
			members = append(members, m)
		}
	}
	return members
}

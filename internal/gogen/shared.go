package gogen

// This file implements scripts.go: what the scripts of a package share.

import (
	"path"
	"slices"

	"github.com/dave/jennifer/jen"
)

// shared returns the formatted scripts.go.
func (p *plan) shared() ([]byte, error) {
	var paths []string
	for _, u := range p.units {
		paths = append(paths, u.imports...)
	}
	f := p.newFile(paths)
	f.HeaderComment(header)
	if folder := p.folder(); folder != "" {
		f.HeaderComment("// Source: " + folder)
	}
	var c comment
	c.line("Package " + p.Name + " calls Redis scripts as Go methods. [New] returns a [Scripts], which has a method for each script.")
	for _, line := range c.lines {
		f.PackageComment("// " + line)
	}
	p.declareSupport(f)
	p.declareErrors(f)
	p.declareScripts(f)
	p.declareInterface(f)
	p.declarePipeline(f)
	p.declareRegistry(f)
	return render(f)
}

// folder returns the folder that all scripts are in, empty if there are several.
func (p *plan) folder() string {
	if len(p.units) == 0 {
		return ""
	}
	folder := path.Dir(p.units[0].shown)
	other := func(u *unit) bool { return path.Dir(u.shown) != folder }
	if slices.ContainsFunc(p.units, other) {
		return ""
	}
	return cleanLine(folder)
}

func (p *plan) declareSupport(f *jen.File) {
	f.Comment(`// This line does not compile if the code and its runtime are of different
// generations. If it does not, run the luagen of the version of
// github.com/luagen/luagen that is in go.mod, or update that module.`)
	f.Const().Id("_").Op("=").Add(redislua("SupportsGen1"))
	f.Line()
}

func (p *plan) declareErrors(f *jen.File) {
	if len(p.errors) == 0 {
		return
	}
	f.Comment("// The errors that scripts declare, for errors.Is.")
	f.Var().DefsFunc(func(g *jen.Group) {
		for _, e := range p.errors {
			if doc := cleanLine(e.doc); doc != "" {
				var c comment
				c.line(e.name + ": " + doc)
				g.Add(c.code())
			}
			g.Id(e.name).Op("=").Add(redislua("Code")).Call(jen.Lit(e.code))
		}
	})
	f.Line()
}

func (p *plan) declareScripts(f *jen.File) {
	f.Comment("// Scripts has a method for each script. It is safe for concurrent use.")
	f.Type().Id("Scripts").Struct(jen.Id("caller").Op("*").Add(redislua("Caller")))
	f.Line()
	f.Comment("// New returns the scripts on a client. It sends nothing: a script that the server\n// does not know is loaded when it is called.")
	f.Func().Id("New").Params(jen.Id("client").Add(redislua("Client")), jen.Id("opts").Op("...").Add(redislua("Option"))).Op("*").Id("Scripts").Block(
		jen.Return(jen.Op("&").Id("Scripts").Values(jen.Id("caller").Op(":").Add(redislua("NewCaller")).Call(jen.Id("client"), jen.Id("opts").Op("...")))),
	)
	f.Line()
	method := func(name, doc, batch string) {
		f.Comment(doc)
		f.Func().Params(jen.Id("s").Op("*").Id("Scripts")).Id(name).Params().Op("*").Id("Pipeline").Block(
			jen.Return(jen.Op("&").Id("Pipeline").Values(jen.Id("batch").Op(":").Add(redislua(batch)).Call(jen.Id("s").Dot("caller")))),
		)
		f.Line()
	}
	method("Pipeline", "// Pipeline begins a pipeline: its calls are sent together.", "NewPipeline")
	method("Tx", "// Tx begins a transaction: its calls are sent together and run as one, within\n// MULTI and EXEC.", "NewTx")
}

func (p *plan) declareInterface(f *jen.File) {
	f.Comment("// Interface has the scripts of Scripts, so that a test can put a fake in its\n// place.")
	f.Type().Id("Interface").InterfaceFunc(func(g *jen.Group) {
		for _, u := range p.units {
			g.Add(u.signature())
		}
	})
	f.Line()
	f.Var().Id("_").Id("Interface").Op("=").Parens(jen.Op("*").Id("Scripts")).Parens(jen.Nil())
	f.Line()
}

func (p *plan) declarePipeline(f *jen.File) {
	f.Comment(`// Pipeline queues calls, which [Pipeline.Exec] sends in their order. Each call
// returns a future that has its reply then. A Pipeline is not safe for
// concurrent use.`)
	f.Type().Id("Pipeline").Struct(jen.Id("batch").Op("*").Add(redislua("Batch")))
	f.Line()
	f.Comment(`// Exec sends the calls that are queued and returns the first error among them;
// every future has its own.`)
	f.Func().Params(jen.Id("p").Op("*").Id("Pipeline")).Id("Exec").Params(jen.Id("ctx").Qual(contextPath, "Context")).Error().Block(
		jen.Return(jen.Id("p").Dot("batch").Dot("Exec").Call(jen.Id("ctx"))),
	)
	f.Line()
}

func (p *plan) declareRegistry(f *jen.File) {
	var scripts []jen.Code
	for _, u := range p.units {
		scripts = append(scripts, jen.Op("&").Id(u.variable))
	}
	f.Comment("// Registry returns all scripts, to look them up, load them or ask what a server\n// lacks.")
	f.Func().Id("Registry").Params().Op("*").Add(redislua("Registry")).Block(
		jen.Return(redislua("NewRegistry").Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: len(scripts) > 0}, scripts...)),
	)
}

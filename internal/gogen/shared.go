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
	about := remark("Package " + p.Name + " calls Redis scripts as Go methods. [New] returns a [Scripts], which has a method for each script.")
	for _, line := range about.lines {
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
	folder := path.Dir(p.units[0].script.File)
	other := func(u *unit) bool { return path.Dir(u.script.File) != folder }
	if slices.ContainsFunc(p.units, other) {
		return ""
	}
	return cleanLine(folder)
}

func (p *plan) declareSupport(f *jen.File) {
	f.Add(remark("This line does not compile if the code and its runtime are of different generations. " +
		"Then run the luagen of the version of github.com/luagen/luagen that is in go.mod, or update that module.").code())
	f.Const().Id("_").Op("=").Add(redislua("SupportsGen1"))
	f.Line()
}

func (p *plan) declareErrors(f *jen.File) {
	if len(p.errors) == 0 {
		return
	}
	f.Add(remark("The errors that scripts reply with, for errors.Is.").code())
	f.Var().DefsFunc(func(g *jen.Group) {
		for _, e := range p.errors {
			if doc := colon(e.doc); doc != "" {
				g.Add(remark(e.name + " has the code " + e.code + doc).code())
			}
			g.Id(e.name).Op("=").Add(redislua("Code")).Call(jen.Lit(e.code))
		}
	})
	f.Line()
}

func (p *plan) declareScripts(f *jen.File) {
	f.Add(remark("Scripts has a method for each script. It is safe for concurrent use.").code())
	f.Type().Id("Scripts").Struct(jen.Id("caller").Op("*").Add(redislua("Caller")))
	f.Line()
	f.Add(remark("New returns the scripts on a client. It sends nothing: a script that the server does not know is loaded when it is called.").code())
	f.Func().Id("New").Params(jen.Id("client").Add(redislua("Client")), jen.Id("opts").Op("...").Add(redislua("Option"))).Op("*").Id("Scripts").Block(
		jen.Return(jen.Op("&").Id("Scripts").Values(jen.Id("caller").Op(":").Add(redislua("NewCaller")).Call(jen.Id("client"), jen.Id("opts").Op("...")))),
	)
	f.Line()
	caller := jen.Id("s").Dot("caller")
	p.declareBegin(f, "Pipeline", "Pipeline begins a pipeline: its calls are sent together.", nil, redislua("NewPipeline").Call(caller))
	p.declareBegin(f, "Tx", "Tx begins a transaction: its calls are sent together and run as one, within MULTI and EXEC.", nil,
		redislua("NewTx").Call(caller))
	p.declareBegin(f, "Queue", "Queue puts calls among the commands of pipe, a pipeline or transaction of the caller's own. "+
		"They have their replies after pipe.Exec.", jen.Id("pipe").Qual(goRedisPath, "Pipeliner"), redislua("Into").Call(caller, jen.Id("pipe")))
}

// declareBegin writes a method of Scripts that returns a Pipeline.
func (p *plan) declareBegin(f *jen.File, name, doc string, param, batch jen.Code) {
	f.Add(remark(doc).code())
	f.Func().Params(jen.Id("s").Op("*").Id("Scripts")).Id(name).Params(param).Op("*").Id("Pipeline").Block(
		jen.Return(jen.Op("&").Id("Pipeline").Values(jen.Id("batch").Op(":").Add(batch))),
	)
	f.Line()
}

func (p *plan) declareInterface(f *jen.File) {
	f.Add(remark("Interface has those methods of Scripts that call a script, so that a test can put a fake in its place.").code())
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
	f.Add(remark("Pipeline queues calls, which [Pipeline.Exec] sends in their order. Each call returns a future that has its reply then. " +
		"A Pipeline is not safe for concurrent use.").code())
	f.Type().Id("Pipeline").Struct(jen.Id("batch").Op("*").Add(redislua("Batch")))
	f.Line()
	f.Add(remark("Exec sends the calls that are queued and returns the first error among them; every future has its own.").code())
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
	f.Add(remark("Registry returns all scripts, to look them up, load them or ask what a server lacks.").code())
	f.Func().Id("Registry").Params().Op("*").Add(redislua("Registry")).Block(
		jen.Return(redislua("NewRegistry").Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: len(scripts) > 0}, scripts...)),
	)
}

package syntax

// This file finds what Lua's compiler cannot hold.

type limitState struct {
	tokens     int  // read so far
	stmtTokens int  // the value of tokens when the current statement began
	crowded    bool // some function may need more registers or constants than there are
}

// countTokens looks whether the statement that ends here may have needed too
// many registers: it cannot have needed more than it has tokens.
func (p *parser) countTokens() {
	if len(p.fn.active)+p.tokens-p.stmtTokens > 230 {
		p.crowded = true
	}
	p.stmtTokens = p.tokens
}

func (p *parser) checkLimits(main *Func) {}

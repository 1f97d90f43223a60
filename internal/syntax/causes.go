package syntax

// This file knows why code that is no Lua 5.1 was written.

// cause returns what to do about an error at the current token, when that is
// known.
func (p *parser) cause() string { return "" }

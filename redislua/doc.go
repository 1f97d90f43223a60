// Package redislua is the runtime that generated wrappers call: it sends a
// Redis Lua script through go-redis and decodes its reply.
//
// Users meet [Client], [Option], [Caller], [Error], [Future] and [Registry];
// the rest is for generated code, which is ordinary code and may be written by
// hand as well.
package redislua

// SupportsGen1 is referred to by generated code of the first generation, so
// that generated code and a runtime that do not fit do not compile together.
// If this name is undefined, update github.com/luagen/luagen in go.mod; if a
// later one is, run luagen generate again.
const SupportsGen1 = true

// Package luagen is the root of a tool that turns a folder of Redis Lua scripts
// into typed Go. It holds no code:
//
//   - [github.com/luagen/luagen/cmd/luagen] is the tool;
//   - [github.com/luagen/luagen/redislua] is what generated code calls;
//   - [github.com/luagen/luagen/generated] are the wrappers of the scripts in
//     lua/, a distributed lock.
//
// README.md shows the tool at work, ARCHITECTURE.md how it is built.
package luagen

//go:generate go run ./cmd/luagen generate

package command_test

import (
	"fmt"

	"github.com/luagen/luagen/internal/command"
)

// What the table tells of redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]).
func ExampleCommand_Match() {
	unknown := command.Arg{Kind: command.Value}
	call := []command.Arg{{Text: "set"}, unknown, unknown, {Text: "NX"}, {Text: "PX"}, unknown}

	c, used := command.Find(call)
	m := c.Match(call[used:], command.Default)
	for _, r := range m.Args {
		fmt.Printf("%s %s\n", r.Kind, r.Name)
	}
	fmt.Println("in milliseconds:", m.Args[4].Unit == command.Milliseconds)
	fmt.Println("replies", m.Reply.Shapes(2)[0])
	// Output:
	// key key
	// string value
	// token NX
	// token PX
	// integer ttl
	// in milliseconds: true
	// replies status(OK)?
}

// What becomes of redis.call("HSET", KEYS[1], unpack(ARGV)).
func ExampleMatch_Tail() {
	m := command.Lookup("hset", "").Match([]command.Arg{{Kind: command.Value}, {Kind: command.Rest}}, command.Default)
	fmt.Println(m.Tail(0).Name, m.Tail(1).Name, "every", m.Period())
	// Output: field value every 2
}

func ExampleCommand_On() {
	old, _ := command.ParseTarget("redis-7.2")
	a := command.Lookup("HEXPIRE", "").On(old)
	fmt.Println(a.Exists, "but since", a.Since)
	// Output: false but since redis-7.4
}

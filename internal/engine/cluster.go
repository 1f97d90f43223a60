package engine

// This file implements what a node of a cluster asks of a script's keys: all in
// one hash slot, and none that the caller did not declare.

import (
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/command"
)

const crossSlotRequest = "CROSSSLOT Keys in request don't hash to the same slot"

// slots is the number of hash slots of a cluster.
const slots = 16384

// slotOf is the hash slot of a key: of what stands between its first braces, if
// that is not empty, else of all of it.
func slotOf(key string) int {
	if open := strings.IndexByte(key, '{'); open >= 0 {
		if n := strings.IndexByte(key[open+1:], '}'); n > 0 {
			key = key[open+1 : open+1+n]
		}
	}
	var crc uint16
	for i := range len(key) {
		crc ^= uint16(key[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc) % slots
}

// oneSlot tells whether all keys lie in one hash slot.
func oneSlot(keys []string) bool {
	for _, k := range keys {
		if slotOf(k) != slotOf(keys[0]) {
			return false
		}
	}
	return true
}

// refuseKeys tells why a cluster's node refuses a command's keys.
func (vm *interpreter) refuseKeys(c *command.Command, args []string) string {
	named := 1 + strings.Count(c.Name, " ")
	list := make([]command.Arg, 0, len(args))
	for _, a := range args[named:] {
		list = append(list, command.Arg{Kind: command.Literal, Text: a})
	}
	match := c.Match(list, vm.engine.dialect.target)
	var keys []string
	for i, role := range match.Args {
		if role.Kind == command.Key {
			keys = append(keys, args[named+i])
		}
	}
	switch {
	case len(keys) == 0:
		return ""
	case !oneSlot(append(slices.Clone(keys), vm.current.keys...)):
		return crossSlot
	}
	for _, k := range keys {
		if !slices.Contains(vm.current.keys, k) {
			return nonLocalKey
		}
	}
	return ""
}

package lease

// This file implements the names that belong to a lock: the counter of its
// fences and the channel of its releases, which a cluster must keep where it
// keeps the lock.

import (
	"strconv"
	"strings"
)

// Beside returns a name in the hash slot of key, different for each key and
// suffix.
//
// A cluster hashes what stands between the first { and the next } if that is
// not empty, and else all of the key. A key with such a tag keeps it when
// something is added behind; a key without becomes the tag. That goes wrong for
// a key with a } in it, as the tag would end there: then a number takes the
// tag's place that has the same slot.
func Beside(key, suffix string) string {
	switch {
	case hasTag(key):
		return key + suffix
	case !strings.Contains(key, "}"):
		return "{" + key + "}" + suffix
	}
	want := Slot(key)
	for n := 0; ; n++ {
		if tag := strconv.Itoa(n); crc16(tag)%slots == want {
			return "{" + tag + "}" + key + suffix
		}
	}
}

// hasTag tells whether a cluster hashes a part of the key only.
func hasTag(key string) bool { return tagOf(key) != key }

// tagOf returns the part of the key that a cluster hashes.
func tagOf(key string) string {
	_, behind, ok := strings.Cut(key, "{")
	if !ok {
		return key
	}
	tag, _, ok := strings.Cut(behind, "}")
	if !ok || tag == "" {
		return key
	}
	return tag
}

const slots = 16384

// Slot returns the hash slot of a key.
func Slot(key string) uint16 { return crc16(tagOf(key)) % slots }

// crc16 is the CRC of XMODEM, which clusters use.
func crc16(s string) uint16 {
	var crc uint16
	for i := range len(s) {
		crc ^= uint16(s[i]) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}

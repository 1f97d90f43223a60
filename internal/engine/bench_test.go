package engine

import "testing"

// BenchmarkRelease is a lock's release in process: GET, compare, DEL.
func BenchmarkRelease(b *testing.B) {
	e := New(Options{})
	defer e.Close()
	c := e.Connect()
	sha := c.Do("SCRIPT", "LOAD", `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`).Text
	b.ReportAllocs()
	for b.Loop() {
		c.DoRaw("SET", "k", "token")
		c.DoRaw("EVALSHA", sha, "1", "k", "token")
	}
}

// BenchmarkSet is the part of BenchmarkRelease that is no script.
func BenchmarkSet(b *testing.B) {
	e := New(Options{})
	defer e.Close()
	c := e.Connect()
	b.ReportAllocs()
	for b.Loop() {
		c.DoRaw("SET", "k", "token")
	}
}

package main

// This file implements the recipes, each with the schedule that is its test.

import (
	"errors"
	"time"

	"github.com/luagen/luagen/lock"
)

// The verdicts.
const (
	safe        = "safe"
	forEver     = "nobody gets the lock any more"
	twoHolders  = "two hold the lock"
	foreignFree = "A freed the lock of B"
	foreignTime = "B, who does not hold it, extended the lock of A"
	orphan      = "the lock is taken, and its holder believes it is not"
	unnoticed   = "A goes on and does not know that B was there"
)

// recipe is a way to lock, and where it leads.
type recipe struct {
	name, how string
	run       func(s *schedule) (verdict string)
	verdict   string // what run returns
}

const (
	compareDelete = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
	countExpire   = "local n = redis.call('INCR', KEYS[1]) redis.call('EXPIRE', KEYS[1], ARGV[1]) return n"
)

var recipes = []recipe{
	{"R1", "INCR = 1 takes it, DEL frees it", func(s *schedule) string {
		s.command("A", "INCR", key)
		s.step("A", "crashes", "")
		s.server.FastForward(365 * 24 * time.Hour)
		s.step("", "a year goes by", "")
		if s.command("B", "INCR", key) != int64(1) {
			return forEver
		}
		return safe
	}, forEver},

	{"R5", "INCR and EXPIRE in one script", func(s *schedule) string {
		s.script("A", "INCR, EXPIRE", countExpire, 10)
		s.server.FastForward(9 * time.Second)
		s.step("", "nine seconds go by", "")
		s.script("B", "INCR, EXPIRE: in vain", countExpire, 10)
		if s.TTL(ctx, key).Val() > time.Second {
			return foreignTime
		}
		return safe
	}, foreignTime},

	{"R7", "SET NX EX, plain DEL", func(s *schedule) string {
		s.command("A", "SET", key, "A", "NX", "EX", 10)
		s.expire()
		s.command("B", "SET", key, "B", "NX", "EX", 10)
		if s.command("A", "DEL", key) == int64(1) {
			return foreignFree
		}
		return safe
	}, foreignFree},

	{"R8", "a token, compared in the client", func(s *schedule) string {
		s.command("A", "SET", key, "A", "NX", "EX", 10)
		mine := s.command("A", "GET", key) == "A"
		s.expire()
		s.command("B", "SET", key, "B", "NX", "EX", 10)
		if mine && s.command("A", "DEL", key) == int64(1) {
			return foreignFree
		}
		return safe
	}, foreignFree},

	{"R9", "a token, compared in the script that deletes", func(s *schedule) string {
		s.command("A", "SET", key, "A", "NX", "PX", 10000)
		s.expire()
		s.command("B", "SET", key, "B", "NX", "PX", 10000)
		if s.script("A", "compare and delete", compareDelete, "A") == int64(1) {
			return foreignFree
		}
		return safe
	}, safe},

	{"R11a", "renewal by EXPIRE alone", func(s *schedule) string {
		s.command("A", "SET", key, "A", "NX", "EX", 10)
		s.expire()
		s.command("B", "SET", key, "B", "NX", "EX", 10)
		if s.command("A", "EXPIRE", key, 10) == int64(1) {
			return twoHolders
		}
		return safe
	}, twoHolders},

	{"R11c", "renewal that sets a missing key again", func(s *schedule) string {
		s.command("A", "SET", key, "A", "NX", "EX", 10)
		s.expire()
		s.command("B", "SET", key, "B", "NX", "EX", 10)
		s.command("B", "DEL", key)
		if s.command("A", "SET", key, "A", "NX", "EX", 10) == "OK" {
			return unnoticed
		}
		return safe
	}, unnoticed},

	{"R13", "SET NX through a client that sends again what had no reply", func(s *schedule) string {
		s.command("A", "SET", key, "A", "NX", "EX", 10)
		s.step("", "the reply is lost", "")
		if s.command("A", "SET", key, "A", "NX", "EX", 10) != "OK" {
			return orphan
		}
		return safe
	}, orphan},

	{"ours", "the lock of this module, through R7, R8, R9 and R11", func(s *schedule) string {
		lk := lock.New(s.Client)
		a, err := lk.TryObtain(ctx, key, lock.TTL(ttl))
		s.step("A", "TryObtain", told(err))
		s.expire()
		b, err := lk.TryObtain(ctx, key, lock.TTL(ttl))
		s.step("B", "TryObtain", told(err))
		if a == nil || b == nil {
			s.err = err
			return ""
		}
		extended := a.Extend(ctx, ttl)
		s.step("A", "Extend", told(extended))
		released := a.Release(ctx)
		s.step("A", "Release", told(released))
		s.step("", "a resource that compares fences takes B's and not A's", a.Fence() < b.Fence())
		err = b.Release(ctx)
		s.step("B", "Release", told(err))
		if err != nil || !errors.Is(extended, lock.ErrLost) || !errors.Is(released, lock.ErrLost) || a.Fence() >= b.Fence() {
			return foreignFree
		}
		return safe
	}, safe},
}

func told(err error) string {
	if err != nil {
		return err.Error()
	}
	return "ok"
}

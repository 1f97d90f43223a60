package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/redistest"
)

func TestSale(t *testing.T) {
	url := func(addr string) string { return "redis://" + addr + "/3" }
	for name, server := range map[string]func(t *testing.T) []string{
		"embedded": func(*testing.T) []string { return nil },
		"redis":    func(t *testing.T) []string { return []string{"--redis", url(redistest.Start(t).Addr)} },
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := run(t.Context(), append(server(t), "--buyers", "60", "--pieces", "30"), &stdout, &stderr)
			if status != fine || stderr.Len() > 0 {
				t.Errorf("exit status %d, want %d; it says %q", status, fine, stderr.String())
			}
			if !strings.HasSuffix(stdout.String(), "\nNothing was oversold.\n") {
				t.Errorf("it printed\n%s", stdout.String())
			}
		})
	}
}

func TestSaleLeavesNothingBehind(t *testing.T) {
	server := redistest.Start(t)
	var out bytes.Buffer
	if status := run(t.Context(), []string{"--redis", "redis://" + server.Addr, "--buyers", "5"}, &out, &out); status != fine {
		t.Fatalf("exit status %d: %s", status, out.String())
	}
	if keys := server.Client().Keys(t.Context(), "*").Val(); len(keys) > 0 {
		t.Errorf("it left %q", keys)
	}
}

// Each case is a fault that a script could have; the proof must find it.
func TestAuditFindsWhatIsWrong(t *testing.T) {
	anyOrder := func(s *sale) string {
		for id := range s.orders {
			return id
		}
		return ""
	}
	tests := []struct {
		fault   string
		do      func(t *testing.T, s *sale)
		finding string
	}{
		{"a piece is gone", func(t *testing.T, s *sale) { s.client.Decr(t.Context(), s.stock("red")) }, "sold and left"},
		{"a stock is below zero", func(t *testing.T, s *sale) { s.client.Set(t.Context(), s.stock("blue"), -1, 0) }, "below zero"},
		{"an order is lost", func(t *testing.T, s *sale) { s.client.HDel(t.Context(), s.allOrders(), anyOrder(s)) }, "every order stands"},
		{"an order is a stranger's", func(t *testing.T, s *sale) { s.client.HSet(t.Context(), s.allOrders(), "x", "red 1 x") }, "every order stands"},
		{"an order grew", func(t *testing.T, s *sale) { s.client.HSet(t.Context(), s.allOrders(), anyOrder(s), "red 9 x") }, "every order stands"},
		{"a user has too many", func(t *testing.T, s *sale) { s.client.ZIncrBy(t.Context(), s.bought(), 100, "user-1") }, "more than the limit"},
		{"a user got pieces of no order", func(t *testing.T, s *sale) { s.client.ZIncrBy(t.Context(), s.bought(), 1, "x") }, "every user has"},
		{"a room was opened twice", func(_ *testing.T, s *sale) { s.count.reopened.Add(1) }, "opened twice"},
		{"an order was sold twice", func(_ *testing.T, s *sale) { s.count.soldTwice.Add(1) }, "sold twice"},
		{"two clerks met", func(_ *testing.T, s *sale) { s.count.overlaps.Add(1) }, "two clerks"},
		{"a fence was not greater", func(_ *testing.T, s *sale) { s.count.oldFences.Add(1) }, "fences"},
		{"an old fence was not refused", func(_ *testing.T, s *sale) { s.count.stale.Store(0) }, "outlived"},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			srv, err := connect(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			defer srv.close()
			s := newSale(srv.client, options{rooms: []string{"red", "blue"}, buyers: 5, clerks: 1, pieces: 10, limit: 4})
			if err := s.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			test.do(t, s)
			checks, err := s.audit(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			sound := printChecks(&out, checks)
			found := false
			for _, c := range checks {
				found = found || !c.holds && strings.Contains(c.what, test.finding)
			}
			if sound || !found {
				t.Errorf("the books show\n%s", out.String())
			}
		})
	}
}

func TestStatuses(t *testing.T) {
	tests := []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"--help"}, fine, "-redis URL"},
		{[]string{"--buyers", "none"}, usage, "buyers"},
		{[]string{"--buyers", "0"}, usage, "at least 1"},
		{[]string{"now"}, usage, `found "now"`},
		{[]string{"--redis", "localhost"}, usage, "--redis localhost"},
		{[]string{"--redis", "redis://127.0.0.1:1"}, failed, "asking the server at 127.0.0.1:1"},
	}
	for _, test := range tests {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), test.args, &stdout, &stderr); status != test.status {
			t.Errorf("%q: exit status %d, want %d", test.args, status, test.status)
		}
		if !strings.Contains(stderr.String(), test.says) {
			t.Errorf("%q: it says %q, want %q", test.args, stderr.String(), test.says)
		}
	}
}

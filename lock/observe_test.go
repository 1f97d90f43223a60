package lock_test

// This file tests what observers and logs are told.

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luagen/luagen/lock"
)

func TestEvents(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		var got []string
		lk := lock.New(w, lock.Observe(func(e lock.Event) {
			if e.Key != key {
				t.Errorf("an event of %q", e.Key)
			}
			if (e.Err != nil) != (e.Kind == lock.Lost || e.Kind == lock.Failed) {
				t.Errorf("%v has the error %v", e.Kind, e.Err)
			}
			got = append(got, strings.TrimSpace(fmt.Sprint(e.Kind, " ", e.Duration, " ", e.Reason)))
		}))
		other := obtain(t, lock.New(w), key, lock.TTL(time.Second))
		_, _ = lk.TryObtain(bg, key)
		l, err := lk.Obtain(bg, key, lock.Pause(time.Hour, time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		_ = l.Extend(bg, ttl)
		time.Sleep(time.Second)
		_ = l.Release(bg)
		l = obtain(t, lk, key)
		w.Set(bg, key, "another:7", 3*time.Second)
		_ = l.Extend(bg, ttl)
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		_, _ = lk.Obtain(ctx, key)
		time.Sleep(2 * time.Second)
		l = obtain(t, lk, key)
		w.breaks(func(string, int) fault { return fault{after: time.Hour} })
		_ = l.Release(bg)
		_ = other.Release(bg)
		for i := range got { // the client pauses at random between its attempts
			if strings.HasPrefix(got[i], "failed") && strings.HasSuffix(got[i], "release") {
				got[i] = "failed release"
			}
		}
		want := []string{
			"failed 0s held", "contended 1s", "obtained 1.001s", "extended 0s", "released 2s",
			"obtained 0s", "lost 0s stolen", "contended 3s", "failed 1s held", "obtained 0s", "failed release",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestLog(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		var out bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}}))
		lk := lock.New(w, lock.Log(logger))
		l := obtain(t, lk, key)
		_, _ = lk.TryObtain(bg, key)
		time.Sleep(ttl)
		synctest.Wait()
		want := fmt.Sprintf("level=WARN msg=\"lock lost\" key=room:42 duration=%v fence=%d reason=expired error=", usable, l.Fence())
		if got := out.String(); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("logged %q, want %q", got, want)
		}
		if strings.Contains(out.String(), l.Token()) {
			t.Error("the token is logged")
		}
	})
}

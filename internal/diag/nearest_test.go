package diag

import "testing"

func TestNearest(t *testing.T) {
	choices := []string{"key", "arg", "return", "readonly", "idempotent", "error"}
	for word, want := range map[string]string{
		"retrun":     "return",
		"returns":    "return",
		"Key":        "key",
		"agr":        "arg",
		"read-only":  "readonly",
		"idempotant": "idempotent",
		"ky":         "key",
		"see":        "",
		"author":     "",
		"":           "",
		"x":          "",
	} {
		if got := Nearest(word, choices); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

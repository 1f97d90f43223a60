// This file implements suggestions for misspelt names, and the names that
// modules bring.

package command

import "strings"

// Nearest returns the name of a command that a misspelt one may have meant,
// upper case, or "". A name with a space, "XGROUP CRATE", is compared with
// subcommands.
func Nearest(name string) string {
	name = strings.ToUpper(name)
	best, least := "", 1+len(name)/3
	for i := range table {
		if d := distance(name, table[i].Name, least); d <= least && (best == "" || d < least) {
			best, least = table[i].Name, d
		}
	}
	return best
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours between two names; above limit it is only known to be more.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit || len(b) >= maxName {
		return limit + 1
	}
	var rows [3][maxName]int
	before, above, row := rows[0][:], rows[1][:], rows[2][:]
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

// maxName is more than the length of any name in the table.
const maxName = 40

// modulePrefixes are how the names of well-known modules' commands begin.
var modulePrefixes = [...]string{"BF", "CF", "CMS", "FT", "GRAPH", "JSON", "RG", "TDIGEST", "TOPK", "TS", "AI", "CL", "SEARCH"}

// Module returns the module that a command's name belongs to, such as JSON for
// "json.set", or "" when its prefix is none that is known. Such commands are
// not in the table.
func Module(name string) string {
	prefix, _, ok := strings.Cut(name, ".")
	if !ok {
		return ""
	}
	for _, m := range modulePrefixes {
		if equalFold(m, prefix) {
			return m
		}
	}
	return ""
}

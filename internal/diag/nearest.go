package diag

// This file implements the "did you mean" of messages about a word that is
// none of the words expected.

// Nearest returns the choice that word was probably meant to be, or "" when
// none is close: at most one slip for every three letters, where a slip is a
// letter too many, missing, wrong, or swapped with its neighbour. Case is not
// a slip. The first of equally near choices wins.
func Nearest(word string, choices []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, choice := range choices {
		if n := slips(word, choice); n < least {
			best, least = choice, n
		}
	}
	return best
}

// slips counts the edits between a and b: their optimal string alignment
// distance without regard to ASCII case.
func slips(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if lower(a[i-1]) == lower(b[j-1]) {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && lower(a[i-1]) == lower(b[j-2]) && lower(a[i-2]) == lower(b[j-1]) {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

package coverage

// This file implements the file that counts are kept in.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/source"
)

// Profile holds counts by a script's digest and point. A point that is not
// there was never passed.
//
// Its form in a file is text, one item a line:
//
//	luagen coverage 1
//	script 9d0f6a2c1d6e7d6a3f9f0a1b2c3d4e5f60718293
//	s 0 40 12
//	t 43 60 7
//
// A script's digest is followed by its points: the Kind's letter, the byte
// offsets in the script's text where the point begins and ends, and the count.
// The parts of a file that begin with its first line may be repeated, as may
// scripts and points: counts add up. So two files are merged by putting one
// behind the other, and processes write to one file by appending.
type Profile map[string]map[Point]uint64

const header = "luagen coverage 1"

func (p Profile) add(sha1 string, at Point, n uint64) {
	points := p[sha1]
	if points == nil {
		points = map[Point]uint64{}
		p[sha1] = points
	}
	if points[at] > math.MaxUint64-n {
		n = math.MaxUint64 - points[at]
	}
	points[at] += n
}

// Add adds the counts of another profile.
func (p Profile) Add(other Profile) {
	for sha1, points := range other {
		for at, n := range points {
			p.add(sha1, at, n)
		}
	}
}

// Append appends the profile's form in a file, which is the same for the same
// counts.
func (p Profile) Append(out []byte) []byte {
	out = append(out, header+"\n"...)
	for _, sha1 := range slices.Sorted(maps.Keys(p)) {
		out = fmt.Appendf(out, "script %s\n", sha1)
		points := p[sha1]
		for _, at := range slices.SortedFunc(maps.Keys(points), compare) {
			out = fmt.Appendf(out, "%c %d %d %d\n", at.Kind, at.Span.Start, at.Span.End, points[at])
		}
	}
	return out
}

// digestLine is the line that begins a script.
var digestLine = regexp.MustCompile(`^script [0-9a-f]{40}$`)

// Parse reads a profile. Errors begin with the line's number.
func Parse(in io.Reader) (Profile, error) {
	profile := Profile{}
	lines := bufio.NewScanner(in)
	sha1, begun, number := "", false, 0
	for lines.Scan() {
		number++
		line := lines.Text()
		switch {
		case line == header:
			sha1, begun = "", true
		case !begun:
			return nil, fmt.Errorf("line %d: expected %q: it is no coverage profile of scripts", number, header)
		case digestLine.MatchString(line):
			sha1 = strings.TrimPrefix(line, "script ")
		default:
			at, n, ok := parsePoint(line)
			if !ok || sha1 == "" {
				return nil, fmt.Errorf("line %d: expected a script or a point such as \"s 0 40 12\", found %q", number, line)
			}
			profile.add(sha1, at, n)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return profile, nil
}

func parsePoint(line string) (at Point, n uint64, ok bool) {
	fields := strings.Split(line, " ")
	if len(fields) != 4 || len(fields[0]) != 1 || !strings.Contains("stfrl", fields[0]) {
		return at, 0, false
	}
	start, err1 := strconv.ParseUint(fields[1], 10, 31)
	end, err2 := strconv.ParseUint(fields[2], 10, 31)
	n, err3 := strconv.ParseUint(fields[3], 10, 64)
	span := source.Span{Start: source.Pos(start), End: source.Pos(end)}
	return Point{Kind(fields[0][0]), span}, n, err1 == nil && err2 == nil && err3 == nil && start <= end
}

// Read reads a profile from a file.
func Read(file string) (Profile, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	profile, err := Parse(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return profile, nil
}

// Save appends what was counted since the last time to the recorder's file.
// Many processes may do so at once: each appends with one write, which local
// file systems do not mix with others. On a nil recorder, and when nothing was
// counted, it does nothing.
func (r *Recorder) Save() error {
	if r == nil {
		return nil
	}
	profile := r.take()
	if len(profile) == 0 {
		return nil
	}
	f, err := os.OpenFile(r.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("writing coverage: %w", err)
	}
	_, err = f.Write(profile.Append(nil))
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("writing coverage: %w", err)
	}
	return nil
}

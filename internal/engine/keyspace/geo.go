package keyspace

// This file implements positions on the earth as Redis keeps them: the bits of
// a sorted set's score.

import (
	"math"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/engine/resp"
)

const (
	earthRadius = 6372797.560856 // metres
	maxLatitude = 85.05112878
	geoBits     = 26
)

// place is a position in degrees.
type place struct{ longitude, latitude float64 }

// placeOf decodes a score: the middle of the cell that its 52 bits name.
func placeOf(score float64) place {
	bits := uint64(score)
	var x, y uint64
	for i := range uint(geoBits) {
		y |= bits >> (2 * i) & 1 << i
		x |= bits >> (2*i + 1) & 1 << i
	}
	middle := func(cell uint64, low, high float64) float64 {
		scale := high - low
		from := low + float64(cell)/(1<<geoBits)*scale
		to := low + float64(cell+1)/(1<<geoBits)*scale
		return (from + to) / 2
	}
	return place{middle(x, -180, 180), middle(y, -maxLatitude, maxLatitude)}
}

func radians(degrees float64) float64 { return degrees * (math.Pi / 180) }

// distance returns the metres between two places.
func distance(a, b place) float64 {
	lon1, lat1 := radians(a.longitude), radians(a.latitude)
	lon2, lat2 := radians(b.longitude), radians(b.latitude)
	v := math.Sin((lon2 - lon1) / 2)
	if v == 0 {
		return earthRadius * math.Abs(lat2-lat1)
	}
	u := math.Sin((lat2 - lat1) / 2)
	return 2 * earthRadius * math.Asin(math.Sqrt(u*u+math.Cos(lat1)*math.Cos(lat2)*v*v))
}

var geoUnits = map[string]float64{"m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.34}

// find returns a member's place; it tells false without the member.
func (c *caller) find(key, member string) (place, bool, resp.Reply) {
	r := c.ask("ZSCORE", key, member)
	if r.IsError() || r.Kind == '_' {
		return place{}, false, r
	}
	f, _ := strconv.ParseFloat(r.Text, 64)
	return placeOf(f), true, r
}

func geodist(k *Keyspace, c *caller, args []string) resp.Reply {
	unit := 1.0
	if len(args) > 5 {
		return resp.Error(errSyntax)
	}
	if len(args) == 5 {
		u, ok := geoUnits[strings.ToLower(args[4])]
		if !ok {
			return resp.Error("ERR unsupported unit provided. please use M, KM, FT, MI")
		}
		unit = u
	}
	if len(args) < 4 {
		return c.ask(args...)
	}
	a, ok1, r := c.find(args[1], args[2])
	if r.IsError() {
		return r
	}
	b, ok2, _ := c.find(args[1], args[3])
	if !ok1 || !ok2 {
		return resp.Nil()
	}
	return resp.Bulk(strconv.FormatFloat(distance(a, b)/unit, 'f', 4, 64))
}

const geoAlphabet = "0123456789bcdefghjkmnpqrstuvwxyz"

// geohash is GEOHASH: eleven letters of the usual form, whose latitudes reach
// from pole to pole.
func geohash(k *Keyspace, c *caller, args []string) resp.Reply {
	out := resp.Array()
	for _, member := range args[2:] {
		p, ok, r := c.find(args[1], member)
		if r.IsError() {
			return r
		}
		if !ok {
			out.List = append(out.List, resp.Nil())
			continue
		}
		out.List = append(out.List, resp.Bulk(geoText(p)))
	}
	return out
}

func geoText(p place) string {
	x := uint64((p.longitude + 180) / 360 * (1 << geoBits))
	y := uint64((p.latitude + 90) / 180 * (1 << geoBits))
	var bits uint64
	for i := range uint(geoBits) {
		bits |= y >> i & 1 << (2 * i)
		bits |= x >> i & 1 << (2*i + 1)
	}
	text := make([]byte, 11)
	for i := range text {
		index := uint64(0)
		if i < 10 {
			index = bits >> (52 - (uint(i)+1)*5) & 31
		}
		text[i] = geoAlphabet[index]
	}
	return string(text)
}

func geopos(k *Keyspace, c *caller, args []string) resp.Reply {
	out := resp.Array()
	for _, member := range args[2:] {
		p, ok, r := c.find(args[1], member)
		if r.IsError() {
			return r
		}
		if !ok {
			out.List = append(out.List, resp.NilArray())
			continue
		}
		if c.p.Resp3 {
			double := func(f float64) resp.Reply { return resp.Reply{Kind: ',', Text: coordinate(f)} }
			out.List = append(out.List, resp.Array(double(p.longitude), double(p.latitude)))
			continue
		}
		out.List = append(out.List, resp.Bulks(coordinate(p.longitude), coordinate(p.latitude)))
	}
	return out
}

// coordinate writes 17 decimals without the zeros at the end.
func coordinate(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 17, 64), "0"), ".")
}

// geosearchstore is GEOSEARCHSTORE: what GEOSEARCH finds, stored.
func geosearchstore(k *Keyspace, c *caller, args []string) resp.Reply {
	query := []string{"GEOSEARCH"}
	storeDist := false
	for _, a := range args[2:] {
		if strings.EqualFold(a, "STOREDIST") {
			storeDist = true
			continue
		}
		query = append(query, a)
	}
	if storeDist {
		query = append(query, "WITHDIST")
	}
	r := c.ask(query...)
	if r.IsError() {
		return r
	}
	var found []scoredMember
	for _, item := range r.List {
		m := scoredMember{member: item.Text}
		if storeDist {
			m.member = item.List[0].Text
			m.score, _ = strconv.ParseFloat(item.List[1].Text, 64)
		} else {
			m.score, _ = strconv.ParseFloat(c.ask("ZSCORE", args[2], m.member).Text, 64)
		}
		found = append(found, m)
	}
	return c.replace(args[1], found)
}

func geosearch(k *Keyspace, c *caller, args []string) resp.Reply {
	if c.kind(args[1]) == "none" {
		return resp.Array()
	}
	return c.ask(args...)
}

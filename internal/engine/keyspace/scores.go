package keyspace

// This file implements scores as the servers print them: miniredis writes the
// shortest text, as Redis does from 7.2 on; before, it is %.17g.

import (
	"math"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/engine/resp"
)

// score writes a double in a reply.
func (k *Keyspace) score(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if k.oldScores {
		return strconv.FormatFloat(f, 'g', 17, 64)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e17 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// rescore writes a score of miniredis anew.
func (k *Keyspace) rescore(r *resp.Reply) {
	if r.Kind != '$' && r.Kind != ',' {
		return
	}
	if f, err := strconv.ParseFloat(r.Text, 64); err == nil && k.oldScores {
		r.Text = k.score(f)
	}
}

// Where a command's reply has scores.
const (
	scoreWhole   = iota // the reply is one
	scoreAll            // every element is one
	scorePairs          // every second element, or the second of each pair
	scoreOption         // as scorePairs with the argument WITHSCORES
	scoreIncr           // the reply, with the argument INCR
	scorePopped         // pairs behind the key's name
	scoreBlocked        // key, member, score
)

// scored are the commands whose replies have scores.
var scored = map[string]int{
	"ZSCORE": scoreWhole, "ZINCRBY": scoreWhole, "ZMSCORE": scoreAll, "ZADD": scoreIncr,
	"ZPOPMIN": scorePairs, "ZPOPMAX": scorePairs, "ZMPOP": scorePopped, "BZMPOP": scorePopped,
	"BZPOPMIN": scoreBlocked, "BZPOPMAX": scoreBlocked,
	"ZRANGE": scoreOption, "ZREVRANGE": scoreOption, "ZRANGEBYSCORE": scoreOption, "ZREVRANGEBYSCORE": scoreOption,
	"ZRANDMEMBER": scoreOption, "ZUNION": scoreOption, "ZINTER": scoreOption, "ZDIFF": scoreOption,
}

// fixScores writes the scores of a reply anew.
func (k *Keyspace) fixScores(r resp.Reply, where int, args []string, resp3 bool) resp.Reply {
	switch where {
	case scoreWhole:
		k.rescore(&r)
	case scoreAll:
		for i := range r.List {
			k.rescore(&r.List[i])
		}
	case scoreIncr:
		if hasOption(args, "INCR") {
			k.rescore(&r)
		}
	case scoreOption:
		if hasOption(args, "WITHSCORES") {
			if resp3 {
				r = paired(r)
			}
			k.fixPairs(r.List)
		}
	case scorePairs:
		k.fixPairs(r.List)
	case scorePopped:
		if len(r.List) == 2 {
			k.fixPairs(r.List[1].List)
		}
	case scoreBlocked:
		if len(r.List) == 3 {
			k.rescore(&r.List[2])
		}
	}
	return r
}

// paired makes pairs of members and scores, as RESP3 has them.
func paired(r resp.Reply) resp.Reply {
	if len(r.List) == 0 || r.List[0].Kind == '*' {
		return r
	}
	pairs := make([]resp.Reply, 0, len(r.List)/2)
	for i := 0; i+1 < len(r.List); i += 2 {
		r.List[i+1].Kind = ','
		pairs = append(pairs, resp.Array(r.List[i], r.List[i+1]))
	}
	r.List = pairs
	return r
}

func (k *Keyspace) fixPairs(list []resp.Reply) {
	for i := range list {
		if pair := list[i].List; len(pair) == 2 {
			k.rescore(&pair[1])
		} else if i%2 == 1 {
			k.rescore(&list[i])
		}
	}
}

func hasOption(args []string, name string) bool {
	for _, a := range args[1:] {
		if strings.EqualFold(a, name) {
			return true
		}
	}
	return false
}

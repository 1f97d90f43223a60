package keyspace

// This file lists the commands that do not go to miniredis as they are.

import (
	"strconv"
	"strings"
)

// handlers are the commands that miniredis does not answer itself, or answers
// otherwise than Redis.
var handlers = map[string]handler{
	"BITCOUNT": bitcount, "BITFIELD": bitfield, "BITOP": stores(2), "GETBIT": getbit, "SETBIT": getbit, "GEOSEARCH": geosearch, "HRANDFIELD": hashRandom, "PFADD": pfadd, "PFCOUNT": pfcount, "PFMERGE": pfmerge, "ZSCAN": zscan, "SDIFFSTORE": stores(1), "SETRANGE": setrange,
	"SINTERSTORE": stores(1), "SUNIONSTORE": stores(1), "ZINTERSTORE": stores(1), "ZUNIONSTORE": stores(1), "BITFIELD_RO": bitfield, "BLMOVE": tryOnce, "BLMPOP": tryOnce, "BLPOP": tryOnce,
	"BRPOP": tryOnce, "BRPOPLPUSH": tryOnce, "BZMPOP": tryOnce, "BZPOPMAX": tryOnce, "BZPOPMIN": tryOnce,
	"CLUSTER": clusterInfo, "COMMAND": commandInfo, "CONFIG": config,
	"COPY": rename, "GEODIST": geodist, "GEOHASH": geohash, "GEOPOS": geopos, "GEOSEARCHSTORE": geosearchstore,
	"HDEL": hashDelete, "HGETALL": hashGetAll, "HINCRBY": hashSetOne, "HINCRBYFLOAT": hashIncrFloat, "HKEYS": hashKeys,
	"HMSET": hashSet, "HSCAN": hashScan, "HSET": hashSet, "HSETNX": hashSetOne, "HVALS": hashValues,
	"LCS": lcs, "MIGRATE": migrate, "OBJECT": object, "RENAME": rename, "RENAMENX": rename,
	"INCRBYFLOAT": incrByFloat, "LINDEX": listIndex, "LSET": listSet, "SDIFF": setMembers, "SINTER": setMembers, "SMEMBERS": setMembers, "SORT": sortKey, "SORT_RO": sortKey,
	"SPUBLISH": nobodyListens, "SSCAN": setScan, "SUBSTR": substr, "SUNION": setMembers, "TTL": ttl, "XREAD": readStreams, "XREADGROUP": readStreams, "XSETID": setID, "XTRIM": trim,
	"ZDIFF": zdiff, "ZPOPMAX": zpop, "ZPOPMIN": zpop, "ZDIFFSTORE": zdiffstore, "ZINTERCARD": zintercard, "ZRANGESTORE": zrangestore,
}

// check refuses what miniredis would accept; empty lets a command pass.
type check func(args []string) string

var checks = map[string]check{"MSET": checkPairs, "MSETNX": checkPairs, "SELECT": checkDatabase, "SET": checkSet, "ZADD": checkScores,
	"ZCOUNT": checkBounds, "ZRANGE": checkBounds, "ZRANGEBYSCORE": checkBounds, "ZREMRANGEBYSCORE": checkBounds, "ZREVRANGEBYSCORE": checkBounds}

// Databases is how many databases there are.
const Databases = 16

func checkDatabase(args []string) string {
	if len(args) != 2 {
		return ""
	}
	n, err := strconv.Atoi(args[1])
	switch {
	case err != nil:
		return errNotInteger
	case n < 0 || n >= Databases:
		return "ERR DB index is out of range"
	}
	return ""
}

func checkPairs(args []string) string {
	if len(args)%2 == 0 {
		return "ERR wrong number of arguments for '" + strings.ToLower(args[0]) + "' command"
	}
	return ""
}

// checkSet refuses options of SET that exclude each other.
func checkSet(args []string) string {
	condition, expiry := 0, 0
	for i := 3; i < len(args); i++ {
		switch strings.ToUpper(args[i]) {
		case "NX", "XX":
			condition++
		case "KEEPTTL":
			expiry++
		case "EX", "PX", "EXAT", "PXAT":
			expiry++
			if i++; i == len(args) {
				return errSyntax
			}
		}
	}
	if condition > 1 || expiry > 1 {
		return errSyntax
	}
	return ""
}

// checkScores refuses scores that are no numbers.
func checkScores(args []string) string {
	i := 2
	for i < len(args) && strings.Contains(" NX XX GT LT CH INCR ", " "+strings.ToUpper(args[i])+" ") {
		i++
	}
	for ; i+1 < len(args); i += 2 {
		if strings.EqualFold(strings.TrimLeft(args[i], "+-"), "nan") {
			return errNotFloat
		}
	}
	return ""
}

// checkBounds refuses bounds of scores that are no numbers.
func checkBounds(args []string) string {
	if strings.EqualFold(args[0], "ZRANGE") && !hasOption(args, "BYSCORE") {
		return ""
	}
	for i := 2; i < min(4, len(args)); i++ {
		if strings.EqualFold(strings.TrimLeft(args[i], "(+-"), "nan") {
			return "ERR min or max is not a float"
		}
	}
	return ""
}

package keyspace

// This file lists the commands that do not go to miniredis as they are.

import "strings"

// handlers are the commands that miniredis does not answer itself, or answers
// otherwise than Redis.
var handlers = map[string]handler{
	"BITFIELD": bitfield, "BITFIELD_RO": bitfield, "BLMOVE": tryOnce, "BLMPOP": tryOnce, "BLPOP": tryOnce,
	"BRPOP": tryOnce, "BRPOPLPUSH": tryOnce, "BZMPOP": tryOnce, "BZPOPMAX": tryOnce, "BZPOPMIN": tryOnce,
	"CLUSTER": clusterInfo, "COMMAND": commandInfo, "CONFIG": config,
	"COPY": rename, "GEODIST": geodist, "GEOHASH": geohash, "GEOPOS": geopos, "GEOSEARCHSTORE": geosearchstore,
	"HDEL": hashDelete, "HGETALL": hashGetAll, "HINCRBY": hashSetOne, "HINCRBYFLOAT": hashSetOne, "HKEYS": hashKeys,
	"HMSET": hashSet, "HSCAN": hashScan, "HSET": hashSet, "HSETNX": hashSetOne, "HVALS": hashValues,
	"LCS": lcs, "MIGRATE": migrate, "OBJECT": object, "RENAME": rename, "RENAMENX": rename,
	"SDIFF": setMembers, "SINTER": setMembers, "SMEMBERS": setMembers, "SORT": sortKey, "SORT_RO": sortKey,
	"SPUBLISH": nobodyListens, "SSCAN": setScan, "SUBSTR": substr, "SUNION": setMembers, "TTL": ttl, "XREAD": tryOnce, "XREADGROUP": tryOnce, "XSETID": setID,
	"ZDIFF": zdiff, "ZDIFFSTORE": zdiffstore, "ZINTERCARD": zintercard, "ZRANGESTORE": zrangestore,
}

// check refuses what miniredis would accept; empty lets a command pass.
type check func(args []string) string

var checks = map[string]check{"MSET": checkPairs, "MSETNX": checkPairs, "SET": checkSet}

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
			i++
		}
	}
	if condition > 1 || expiry > 1 {
		return errSyntax
	}
	return ""
}

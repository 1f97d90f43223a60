// Package rules holds the rules of luagen lint, one a file, and the list of
// them all.
package rules

import "github.com/luagen/luagen/internal/lint"

// All are the rules, in the order of the documentation's index.
var All = []*lint.Rule{
	replyNilCompare,
	unknownCommand,
	wrongArity,
	commandNotAllowed,
	undefinedGlobal,
	globalWrite,
	unknownMember,
	argvOrderedCompare,
	stringNumberEquality,
	integerReplyAsBoolean,
	statusReplyComparedWithString,
	nilHoleReturn,
	keyedTableReturn,
	floatReturn,
	hgetallAsMap,
	falseInArrayArith,
	concatReply,
	unguardedTonumber,
	pcallResultUnchecked,
	errorTableWithoutErr,
	nilCommandArgument,
	nonIntegerArgument,
	indexGap,
	writeInReadonly,
	lua52Syntax,
	escapeDecimal,
	versionGatedAPI,
	setresp3Shape,
	multipleReturn,
	logMisuse,
	scanLoop,
	timeBusyWait,
	setnxThenExpire,
	lockDelWithoutOwnerCheck,
	lockExtendWithoutOwnerCheck,
	ttlLostBySet,
	keysRedefined,
	bigUnpack,
	emptyUnpack,
	deprecatedCommand,
	deprecatedLua,
	cjsonMissingAPI,
	foreignPlatform,
	serverAlias,
	removedLuaAPI,
	blockingCommand,
	suppressionRule,
	unseededRandom,
	expireZeroOrNegative,
	errorReplyFormat,
	cjsonDecodeUnchecked,
	cjsonConfigLeak,
	numberAsTextPrecision,
	hardcodedKey,
	keyValueMixup,
	selectInScript,
	keysCommand,
	unboundedLoop,
	replicationControl,
	noIndexLimitRemoval,
	unusedLocal,
	unreachableCode,
	selfAssignment,
	duplicateTableKey,
	loopNeverRuns,
	computedKey,
	keyFromDBContent,
	multiSlotRisk,
	cjsonEmptyTable,
	unusedParameter,
	pairsOrderDependent,
	largeRange,
	nPlusOneCalls,
	keyExpression,
}

// Find returns the rule of a name; nil when there is none.
func Find(name string) *lint.Rule {
	for _, r := range All {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Names returns the names of all rules.
func Names() []string {
	names := make([]string, len(All))
	for i, r := range All {
		names[i] = r.Name
	}
	return names
}

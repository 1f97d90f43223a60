package redislua_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/redislua"
)

// What luagen generates for a script, by hand.
var takeScript = redislua.Script{
	Name:   "Take",
	File:   "lua/take.lua",
	Source: "local left = tonumber(redis.call('GET', KEYS[1]) or 0)\nif left < tonumber(ARGV[1]) then return redis.error_reply('SOLDOUT nothing is left') end\nreturn redis.call('DECRBY', KEYS[1], ARGV[1])\n",
	SHA1:   "1d9c2e2fe74311639a2c852c15f42d36916c35d3",
	Keys:   1,
}

var errSoldOut = redislua.Code("SOLDOUT")

func takeCall(stock string, n int64) *redislua.Call {
	c := takeScript.Call(1, 1)
	c.Key(stock)
	c.Int(n)
	return c
}

func ExampleRun() {
	client := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	caller := redislua.NewCaller(client)
	left, err := redislua.Run(context.Background(), caller, takeCall("stock", 2), redislua.AsInt)
	switch {
	case errors.Is(err, errSoldOut):
		fmt.Println("come back tomorrow")
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(left, "are left")
	}
}

func ExampleQueue() {
	client := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	batch := redislua.NewTx(redislua.NewCaller(client))
	first := redislua.Queue(batch, takeCall("stock", 1), redislua.AsInt)
	second := redislua.Queue(batch, takeCall("stock", 1), redislua.AsInt)
	if err := batch.Exec(context.Background()); err != nil {
		log.Print(err) // the first error of a call
	}
	fmt.Println(first.Result())
	fmt.Println(second.Result())
}

func ExampleInto() {
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	caller := redislua.NewCaller(client)
	pipe := client.TxPipeline()
	pipe.Expire(ctx, "cart", time.Hour)
	left := redislua.Queue(redislua.Into(caller, pipe), takeCall("stock", 1), redislua.AsInt)
	if _, err := pipe.Exec(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(left.Result())
}

func ExampleWithObserver() {
	client := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	caller := redislua.NewCaller(client, redislua.WithObserver(func(ctx context.Context, e redislua.Event) {
		if e.Recovered {
			log.Printf("%s was unknown to %s; the call took %s", e.Script.Name, e.Node, e.Duration)
		}
	}))
	_, _ = redislua.Run(context.Background(), caller, takeCall("stock", 1), redislua.AsInt)
}

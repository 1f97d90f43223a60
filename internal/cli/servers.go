package cli

// This file implements what the commands that talk to servers share: the
// connection, and the scripts as the runtime knows them.

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project"
	"github.com/luagen/luagen/redislua"
)

// serverFlag adds --redis, which such a command must have.
func (a *app) serverFlag(command *cobra.Command, address *string) {
	command.Flags().StringVar(address, "redis", a.env("REDIS_URL"), "the server, or any node of a cluster: redis://[user:password@]host:port, rediss:// for TLS; default is REDIS_URL")
}

// server is a connection for commands that look after scripts.
type server interface {
	redislua.Client
	Close() error
}

// connect opens a connection. A node of a cluster leads to the whole cluster.
func connect(ctx context.Context, address string) (server, error) {
	if address == "" {
		return nil, &project.UsageError{Message: "no server is given: say --redis redis://host:port, or set REDIS_URL"}
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		return nil, &project.UsageError{Message: fmt.Sprintf("--redis %s: %v; expected redis://host:port", withoutPassword(address), err)}
	}
	client := redis.NewClient(options)
	info, err := client.Info(ctx, "cluster").Result()
	if err != nil {
		_ = client.Close() // the first error is the one to tell
		return nil, fmt.Errorf("connecting to %s: %w", options.Addr, err)
	}
	if !strings.Contains(info, "cluster_enabled:1") {
		return client, nil
	}
	if err := client.Close(); err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", options.Addr, err)
	}
	return redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: []string{options.Addr}, Username: options.Username, Password: options.Password, TLSConfig: options.TLSConfig,
		DialTimeout: options.DialTimeout, ReadTimeout: options.ReadTimeout, WriteTimeout: options.WriteTimeout,
	}), nil
}

// withoutPassword is an address as it may be shown.
func withoutPassword(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return "URL"
}

// onServer runs do with the scripts of paths and a connection, which it closes.
func (a *app) onServer(ctx context.Context, paths []string, address string, do func(*redislua.Registry, server) error) error {
	registry, err := a.registry(paths)
	if err != nil {
		return err
	}
	c, err := connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }() // all answers are there by then
	return do(registry, c)
}

// eachNode visits the server, or every node of the cluster, one after the other.
func eachNode(ctx context.Context, c server, visit func(context.Context, *redis.Client) error) error {
	if cluster, ok := c.(*redis.ClusterClient); ok {
		return cluster.ForEachShard(ctx, visit)
	}
	return visit(ctx, c.(*redis.Client))
}

// registry makes the registry of the scripts of paths. Nothing is done with
// servers while a script has an error.
func (a *app) registry(paths []string) (*redislua.Registry, error) {
	projects, err := a.open(paths)
	if err != nil {
		return nil, err
	}
	var scripts []*redislua.Script
	var diags []diag.Diagnostic
	for _, p := range projects {
		set, err := p.Load()
		if err != nil {
			return nil, err
		}
		diags = append(diags, set.Diagnostics...)
		for _, s := range set.Scripts() {
			scripts = append(scripts, &redislua.Script{
				Name: s.Name, File: s.Source.Name, Source: s.Script.Source, SHA1: s.SHA1, ReadOnly: s.Readonly, Idempotent: s.Idempotent,
			})
		}
	}
	if err := a.report(diags); err != nil {
		return nil, err
	}
	return redislua.NewRegistry(scripts...), nil
}

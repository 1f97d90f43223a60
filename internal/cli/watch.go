package cli

// This file implements luagen generate --watch.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/luagen/luagen/internal/project"
)

// quiet is how long files must rest before generating again, as editors and
// checkouts write many files one after the other.
const quiet = 50 * time.Millisecond

// watch generates, and again when something changes, until ctx ends. Once it
// has begun, faults are told and waited out.
func (a *app) watch(ctx context.Context, paths []string) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching files: %w", err)
	}
	defer watcher.Close()
	if err := a.follow(watcher, paths); err != nil {
		return err
	}
	a.tell("luagen: watching for changes, Ctrl-C ends\n")
	for {
		var told exit
		if err := a.generate(paths); err != nil && !errors.As(err, &told) {
			a.tell("luagen: %v\n", err)
		}
		if !settle(ctx, watcher) {
			return nil
		}
		// The folders may be others by now. A configuration that is broken for
		// the moment leaves them as they were, and generate tells.
		if projects, _, err := project.Open(paths...); err == nil {
			if err := a.watchFolders(watcher, projects); err != nil {
				return err
			}
		}
	}
}

// follow begins to watch what the paths lead to.
func (a *app) follow(watcher *fsnotify.Watcher, paths []string) error {
	projects, err := a.open(paths)
	if err != nil {
		return err
	}
	return a.watchFolders(watcher, projects)
}

// watchFolders adds the folders of projects to those that are watched.
func (a *app) watchFolders(watcher *fsnotify.Watcher, projects []*project.Project) error {
	for _, p := range projects {
		for _, folder := range p.WatchFolders() {
			if err := watcher.Add(folder); err != nil {
				return fmt.Errorf("watching %s: %w", p.Display(folder), err)
			}
		}
	}
	return nil
}

// settle waits for a change that matters, and then until all is quiet. It
// reports false when ctx has ended.
func settle(ctx context.Context, watcher *fsnotify.Watcher) bool {
	var rest <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-watcher.Errors: // an overflow of events: something has changed
			rest = time.After(quiet)
		case event := <-watcher.Events:
			if matters(event) {
				rest = time.After(quiet)
			}
		case <-rest:
			return true
		}
	}
}

// matters tells whether an event can change what is generated: one about a
// script, the configuration or a folder.
func matters(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod {
		return false
	}
	ext := filepath.Ext(event.Name)
	return ext == ".lua" || ext == "" || filepath.Base(event.Name) == project.ConfigName
}

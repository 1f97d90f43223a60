package cli

// This file implements luagen generate --watch.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	projects, err := a.open(paths)
	if err != nil {
		return err
	}
	a.tell("luagen: watching for changes, Ctrl-C ends\n")
	for {
		// What is watched before it is read cannot change unnoticed.
		for _, p := range projects {
			if err := follow(watcher, p, p.WatchFolders()); err != nil {
				return err
			}
		}
		if err := a.regenerate(watcher, paths); err != nil {
			return err
		}
		if !settle(ctx, watcher) {
			return nil
		}
		// A configuration that is broken for the moment leaves the folders as
		// they were, and is told when generating.
		if now, _, err := project.Open(paths...); err == nil {
			projects = now
		}
	}
}

// regenerate generates, and follows the files that are included. What goes
// wrong in generating is only told.
func (a *app) regenerate(watcher *fsnotify.Watcher, paths []string) error {
	for {
		plans, err := a.plans(paths)
		watched := len(watcher.WatchList())
		for _, plan := range plans {
			if err := follow(watcher, plan.project, plan.set.Folders); err != nil {
				return err
			}
		}
		if len(watcher.WatchList()) > watched {
			continue // what was read before it was watched may have changed since
		}
		if err == nil {
			err = a.carryOut(plans)
		}
		var told exit
		if err != nil && !errors.As(err, &told) {
			a.tell("luagen: %v\n", err)
		}
		return nil
	}
}

// follow adds folders of a project to those that are watched. One that is gone
// has been an event of the folder above.
func follow(watcher *fsnotify.Watcher, p *project.Project, folders []string) error {
	for _, folder := range folders {
		if err := watcher.Add(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("watching %s: %w", p.Display(folder), err)
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

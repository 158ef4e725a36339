package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"foresee/application"
	"foresee/internal/checksum"
	"foresee/internal/claims"
	"foresee/internal/output"
	"foresee/machine"
	"foresee/predict"
)

// Folders of a store.
const (
	signatures = "signatures"
	machines   = "machines"
	plans      = "plans"
	results    = "results"
)

// extensions are the ends of their files' names.
var extensions = map[string]string{signatures: ".sig.json", machines: ".yaml", plans: ".json", results: ".json"}

// Store is a folder of what sweeps need and give. Files are named by digests and appear whole; several processes may work in one.
type Store struct{ Dir string }

// NewStore makes the folder, if it is not there.
func NewStore(dir string) (*Store, error) {
	for kind := range extensions {
		if err := os.MkdirAll(filepath.Join(dir, kind), 0o755); err != nil {
			return nil, err
		}
	}
	return &Store{dir}, nil
}

func (s *Store) path(kind, name string) string {
	return filepath.Join(s.Dir, kind, name+extensions[kind])
}

// put keeps a content under its digest.
func (s *Store) put(kind string, data []byte) (string, error) {
	name := digest(data)
	return name, s.write(kind, name, data)
}

// write keeps a content under a name, unless the same content is there.
func (s *Store) write(kind, name string, data []byte) error {
	path := s.path(kind, name)
	if there, err := os.ReadFile(path); err == nil && digest(there) == digest(data) {
		return nil
	}
	f, err := output.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	defer claims.Release(f.Place()) // what is found damaged is written again
	return f.Finish(func(w io.Writer) error { _, err := w.Write(data); return err })
}

// get reads what was put under its digest.
func (s *Store) get(kind, name string) ([]byte, error) {
	path := s.path(kind, name)
	data, err := os.ReadFile(path)
	if err == nil && digest(data) != name {
		err = fmt.Errorf("%s: %w", path, checksum.ErrChanged)
	}
	return data, err
}

// lineBytes stands in signatures for the line that their localities are of, which those of plans do not have.
const lineBytes = 64

// PutSignature keeps the loops of a signature, and gives their digest.
func (s *Store) PutSignature(sig *application.Signature) (string, error) {
	file := &application.SavedFile{Schema: application.SavedSchema, Version: predict.Version, Input: sig.Name, Warnings: sig.Warnings, LineBytes: lineBytes}
	if file.Warnings == nil {
		file.Warnings = []string{}
	}
	for _, p := range sig.Loops {
		region := application.SavedRegion{Region: p.Region}
		if _, err := region.SetProgram(p); err != nil {
			return "", fmt.Errorf("region %s: %w", p.Region, err)
		}
		file.Regions = append(file.Regions, region)
	}
	data, err := json.MarshalIndent(file, "", " ")
	if err != nil {
		return "", err
	}
	return s.put(signatures, data)
}

// Signature reads one.
func (s *Store) Signature(name string) (*application.Signature, error) {
	data, err := s.get(signatures, name)
	if err != nil {
		return nil, err
	}
	return application.ReadSaved(data)
}

// Machine reads one.
func (s *Store) Machine(name string) (*machine.Machine, error) {
	data, err := s.get(machines, name)
	if err != nil {
		return nil, err
	}
	return machine.Parse(s.path(machines, name), data)
}

// PutPlan keeps a plan, and gives the name to read it by.
func (s *Store) PutPlan(p *Plan) (string, error) {
	p.Checksum = checksum.Blank
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return "", err
	}
	if data, err = checksum.Put(data); err != nil {
		return "", err
	}
	return s.put(plans, data)
}

// Plan reads one.
func (s *Store) Plan(name string) (*Plan, error) {
	path := s.path(plans, name)
	data, err := s.get(plans, name)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	if err = json.Unmarshal(data, p); err == nil {
		err = p.valid()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// PutPart keeps what a unit gave.
func (s *Store) PutPart(p *Part) error {
	p.Checksum = checksum.Blank
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if data, err = checksum.Put(data); err != nil {
		return err
	}
	return s.write(results, p.Key, data)
}

// Part reads what a unit gave; nil where it is not there, or not whole: then it is to be done again.
func (s *Store) Part(key string) (*Part, error) {
	data, err := os.ReadFile(s.path(results, key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &Part{}
	if checksum.Check(data) != nil || json.Unmarshal(data, p) != nil || p.Schema != PartSchema || p.Key != key {
		return nil, nil
	}
	return p, nil
}

// has says whether a unit is done, without reading what it gave.
func (s *Store) has(key string) bool {
	_, err := os.Stat(s.path(results, key))
	return err == nil
}

// IsStore tells the folder of a store, so that no other is filled.
func IsStore(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if _, ours := extensions[e.Name()]; !ours && !strings.HasPrefix(e.Name(), "slurm") && !strings.HasPrefix(e.Name(), ".") {
			return false, nil
		}
	}
	return true, nil
}

// Modulezip checks the zip of a Go module by the rules that the go command and module proxies apply.
//
//	go -C tools run ./modulezip MODULE VERSION ZIP [FOLDER]
//
// With a folder it also compares the zip with what Go makes of that.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 && len(os.Args) != 5 {
		log.Fatal("usage: modulezip MODULE VERSION ZIP [FOLDER]")
	}
	version := module.Version{Path: os.Args[1], Version: os.Args[2]}
	sum, err := check(version, os.Args[3])
	if err == nil && len(os.Args) == 5 {
		err = compare(version, sum, os.Args[4])
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(version, sum)
}

// check returns the digest of a zip that keeps the rules, as go.sum has it.
func check(version module.Version, path string) (string, error) {
	if err := module.Check(version.Path, version.Version); err != nil {
		return "", err
	}
	files, err := zip.CheckZip(version, path)
	if err != nil {
		return "", err
	}
	if err := files.Err(); err != nil {
		return "", err
	}
	return dirhash.HashZip(path, dirhash.Hash1)
}

// compare fails if Go makes another zip of a folder.
func compare(version module.Version, sum, folder string) error {
	file, err := os.CreateTemp("", "module-*.zip")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := errors.Join(zip.CreateFromDir(file, version, folder), file.Close()); err != nil {
		return err
	}
	expected, err := dirhash.HashZip(file.Name(), dirhash.Hash1)
	if err == nil && expected != sum {
		err = fmt.Errorf("the zip has the digest %s, that of the folder %s", sum, expected)
	}
	return err
}

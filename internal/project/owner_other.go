//go:build !unix

package project

// ownedByOther is for systems whose files have owners that weft can compare.
func ownedByOther(string) bool { return false }

func openToAll(string) bool { return false }

package pipeline

// sameConfig reports whether two configurations are known to be the same. Both sides are read then,
// which takes longer and gives the same; what compares them is too large to load into a browser.
func sameConfig(_, _ Config) bool { return false }

package outdir

// decomposed returns text unchanged: browsers write no files, and the Unicode tables are large.
func decomposed(s string) string { return s }

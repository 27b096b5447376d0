// Package engine is the second floor: the pipeline. Paths, flags and data values come in (Config);
// documents and files come out (Result).
//
// Its packages are the stages, in the order in which library.evaluate calls them: load reads files,
// compile turns each into a Unit, schema and values compute the data values, eval runs the templates,
// overlay and override change their documents, emit prints them. A Session is a loaded project that
// any number of evaluations share. After files have changed, Reload returns the next session.
package engine

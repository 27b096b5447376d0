package protocol

// EnvironmentsParams ask for the environments of the project that a document belongs to. The method
// is weft's own: weft/environments.
type EnvironmentsParams struct{ DocumentParams }

// Environments are the environments of a project.
type Environments struct {
	Project string   `json:"project"` // the path of weft.yml, or ""
	Names   []string `json:"names"`   // of all environments
	Active  string   `json:"active"`  // the one that features are about
}

// SetEnvironmentParams make another environment the active one: weft/setEnvironment.
type SetEnvironmentParams struct {
	DocumentParams
	Environment string `json:"environment"`
}

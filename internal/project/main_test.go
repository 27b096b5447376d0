package project_test

import "flag"

var update = flag.Bool("update", false, "rewrite what the decoder says in testdata/refused")

module weft/editors/editortest

go 1.26

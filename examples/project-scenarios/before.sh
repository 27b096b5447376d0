#!/bin/sh
# What weft.yml replaces: a loop over directories.
set -eu
for dir in scenarios/*/; do
  ytt -f config --data-values-file "${dir}values.yml" --data-value-yaml debug=true > "${dir}rendered.yml"
done

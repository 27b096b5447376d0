#!/bin/sh
# What weft.yml replaces: one command line for each file.
set -eu
mkdir -p deploy
ytt --ignore-unknown-comments -f templates -f values.yml -f full.yml > deploy/full.yml
ytt --ignore-unknown-comments -f templates -f values.yml -f minimal.yml > deploy/minimal.yml

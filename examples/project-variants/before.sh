#!/bin/sh
# What weft.yml replaces: the same flags again and again.
set -eu
VERSION=${VERSION:-0.1.0}
mkdir -p out
ytt -f config -f config-dev -v dev.version="$VERSION" > out/dev.yml
ytt -f config -f config-dev -v dev.version="$VERSION" --data-value-yaml dev.rapid=true > out/rapid.yml
ytt -f config -f config-dev -v dev.version="$VERSION" \
  --data-value-yaml dev.push=true -v dev.repository=registry.example.com/me > out/outside.yml
ytt -f config -f config-release -v dev.version="$VERSION" > out/release.yml

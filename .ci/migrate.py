#!/usr/bin/env python3
"""Migrates every recorded case of ytt that succeeds, and renders it in edition 2026.

  migrate.py --bin WEFT --cases DIR --listed FILE [--show]

A case is migrated with `weft migrate --write`, and what it prints and writes afterwards in edition
2026 has to be what it printed and wrote before, byte by byte (with --keep none: comments are not
values). FILE lists the cases in which that is not so, each with its reason: `group/case: reason`.
It is an error if a case fails that is not listed, if a listed one works, or if 3 % are listed.
"""
import argparse
import concurrent.futures
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

WITH_VALUE = ("-o", "--output", "--output-files", "--dangerous-emptied-output-directory")
ALONE = ("--files-inspect", "--data-values-inspect", "--data-values-schema-inspect", "--bulk-out", "--debug")
OTHER_COMMANDS = ("fmt", "version", "help", "completion", "website")


def without_output(args):
    """The arguments that decide what is rendered, without those that say where it goes."""
    kept, skip = [], False
    for arg in args:
        name = arg.split("=", 1)[0]
        if skip:
            skip = False
        elif name in WITH_VALUE:
            skip = "=" not in arg
        elif name not in ALONE:
            kept.append(arg)
    return kept


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError:
        return None


def tree(root):
    found = {}
    for d, _, files in os.walk(root):
        for f in files:
            path = os.path.join(d, f)
            found[os.path.relpath(path, root)] = read(path)
    return found


class Case:
    def __init__(self, binary, path, directory):
        self.binary, self.cwd = binary, os.path.join(directory, "in")
        self.stdin = read(os.path.join(path, "stdin"))
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("YTT")}
        for line in (read(os.path.join(path, "env")) or b"").decode().split("\n"):
            if "=" in line:
                k, v = line.split("=", 1)
                self.env[k] = v
        self.args = shlex.split(read(os.path.join(path, "cmd")).decode().replace("${DIR}", self.cwd))
        if self.args and self.args[0] in ("template", "t", "tpl"):
            del self.args[0]
        if "pos" in self.args:  # lines may move
            del self.args[self.args.index("pos") - 1 : self.args.index("pos") + 1]
        source = os.path.join(path, "in")
        if os.path.isdir(source):
            shutil.copytree(source, self.cwd, symlinks=True)
        else:
            os.mkdir(self.cwd)

    def run(self, *args):
        return subprocess.run([self.binary, *args], cwd=self.cwd, env=self.env, capture_output=True,
                              timeout=60, input=self.stdin or b"")

    def rendered(self, *more):
        """What the case prints and writes, or None if it fails."""
        out = os.path.join(self.cwd, "out")
        shutil.rmtree(out, ignore_errors=True)
        p = self.run(*self.args, *more)
        made = tree(out)
        shutil.rmtree(out, ignore_errors=True)
        return None if p.returncode else (p.stdout, made)


def reason_of(p):
    """The first message, without its place."""
    for line in p.stderr.decode("utf-8", "replace").split("\n"):
        if "error: " in line:
            return line.split("error: ", 1)[1]
    return "exit code %d" % p.returncode


def check(binary, path):
    """None if the case does not count, "" if it works, else the reason why it does not."""
    if os.path.exists(os.path.join(path, "exit")):
        return None
    with tempfile.TemporaryDirectory(prefix="migrate-") as directory:
        case = Case(binary, path, os.path.realpath(directory))
        if not case.args or case.args[0] in OTHER_COMMANDS:
            return None
        before = case.rendered()
        if before is None:
            return None
        p = case.run("migrate", "--write", *without_output(case.args))
        if p.returncode:
            return reason_of(p)
        after = case.rendered("--edition", "2026", "--keep", "none")
        if after is None:
            return "fails in edition 2026, though proven"
        return "" if before == after else "differs in edition 2026, though proven"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--cases", required=True)
    parser.add_argument("--listed", required=True)
    parser.add_argument("--show", action="store_true", help="print what the list should be")
    opt = parser.parse_args()
    binary = os.path.abspath(opt.bin)
    listed = dict(line.rstrip("\n").split(": ", 1) for line in open(opt.listed) if line.strip() and line[0] != "#")
    names = sorted(os.path.join(g, c) for g in os.listdir(opt.cases)
                   if os.path.isdir(os.path.join(opt.cases, g)) for c in os.listdir(os.path.join(opt.cases, g))
                   if os.path.exists(os.path.join(opt.cases, g, c, "cmd")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(names, pool.map(lambda n: check(binary, os.path.join(opt.cases, n)), names)))
    counted = {n: r for n, r in results.items() if r is not None}
    failed = {n: r for n, r in counted.items() if r}
    if opt.show:
        for n, r in failed.items():
            print("%s: %s" % (n, r))
    worse = [n for n in failed if n not in listed]
    better = [n for n in listed if not counted.get(n, "")]
    for n in worse:
        print("NOT LISTED %s: %s" % (n, failed[n]))
    for n in better:
        print("LISTED, BUT IT WORKS %s" % n)
    share = 100 * len(failed) / max(1, len(counted))
    print("%d cases migrated, %d listed (%.1f %%)" % (len(counted) - len(failed), len(failed), share))
    sys.exit(1 if worse or better or share >= 3 else 0)


main()

#!/usr/bin/env python3
"""Edits the output of recorded cases at random, and asks weft for the change of the sources.

  suggest.py --bin WEFT --cases DIR [--n 500] [--seed 7]

Each case gets 1 to 5 edits: other scalars, keys and items that are added, removed or renamed, items that move. If
weft suggest has a suggestion, it is written, and the case is rendered again: PyYAML has to read what was edited. It
is an error if it does not, or if less than 90 % of the cases have a suggestion.
"""
import argparse
import copy
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

import yaml

# These say where output goes, or are other commands: there is no output to edit.
OTHERS = ("-o", "--output", "--output-files", "--dangerous-emptied-output-directory", "--files-inspect", "--file-mark",
          "--bulk-in", "--bulk-out", "version", "fmt", "website", "help", "completion", "override")
STRING, INT, BOOL = ("tag:yaml.org,2002:" + t for t in ("str", "int", "bool"))


def scalar(r):
    return r.choice([(STRING, "text"), (STRING, "two\nlines\n"), (INT, str(r.randrange(100))), (BOOL, "true"),
                     (STRING, "on"), (STRING, "#@ x"), (STRING, "0644")])


def read(text):
    """The documents of a text: scalars are pairs of tag and text, lists ["l", ...], maps ["m", [key, value], ...]."""
    def value(n):
        if isinstance(n, yaml.ScalarNode):
            return (n.tag, n.value)
        if isinstance(n, yaml.SequenceNode):
            return ["l"] + [value(x) for x in n.value]
        return ["m"] + [[value(k), value(v)] for k, v in n.value]
    return [value(n) for n in yaml.compose_all(text, Loader=yaml.SafeLoader) if n is not None]


def written(docs):
    def node(v):
        if isinstance(v, tuple):
            return yaml.ScalarNode(v[0], v[1], style='"' if v[0] == STRING else None)
        if v[0] == "l":
            return yaml.SequenceNode("tag:yaml.org,2002:seq", [node(x) for x in v[1:]], flow_style=False)
        return yaml.MappingNode("tag:yaml.org,2002:map", [(node(k), node(x)) for k, x in v[1:]], flow_style=False)
    return yaml.serialize_all([node(d) for d in docs], explicit_start=True, width=10**9)


def meaning(docs):
    """What counts: neither the order of keys nor that of documents, and no empty documents."""
    def sort(v):
        if isinstance(v, tuple):
            return v
        if v[0] == "l":
            return ("l",) + tuple(sort(x) for x in v[1:])
        return ("m",) + tuple(sorted(((sort(k), sort(x)) for k, x in v[1:]), key=repr))
    empty = (("m",), ("l",))
    return sorted((sort(d) for d in docs if sort(d) not in empty and d[0] != "tag:yaml.org,2002:null"), key=repr)


def collections(v, kind):
    if isinstance(v, list):
        if v[0] == kind:
            yield v
        for x in v[1:]:
            yield from collections(x[1] if v[0] == "m" else x, kind)


def edit(r, doc):
    maps, lists = list(collections(doc, "m")), list(collections(doc, "l"))
    what = r.choice(["scalar"] * 5 + ["remove"] * 2 + ["add"] * 2 + ["rename", "item", "item", "move"])
    m = r.choice(maps) if maps else ["m"]
    items = r.choice(lists) if lists else ["l"]
    if what == "scalar" and len(m) > 1:
        entry = r.choice(m[1:])
        if isinstance(entry[1], tuple):
            entry[1] = (STRING, entry[1][1] + "-x") if entry[1][0] == STRING else scalar(r)
    elif what == "remove" and len(m) > 2:
        del m[r.randrange(1, len(m))]
    elif what == "add" and maps and all(k != (STRING, "added") for k, _ in m[1:]):
        m.append([(STRING, "added"), r.choice([scalar(r), ["m", [(STRING, "a"), scalar(r)]], ["l", scalar(r)]])])
    elif what == "rename" and len(m) > 1:
        entry = r.choice(m[1:])
        if isinstance(entry[0], tuple) and entry[0][0] == STRING:
            entry[0] = (STRING, entry[0][1] + "-renamed")
    elif what == "item" and lists:
        if len(items) > 1 and r.random() < .5:
            del items[r.randrange(1, len(items))]
        else:
            items.insert(r.randrange(1, len(items) + 1), copy.deepcopy(r.choice(items[1:] or [scalar(r)])))
    elif what == "move" and len(items) > 2:
        x = items.pop(r.randrange(1, len(items)))
        items.insert(r.randrange(1, len(items) + 1), x)


def run(args, dir, env):
    return subprocess.run(args, cwd=dir, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


def attempt(weft, case, seed):
    """None if the case has no output to edit; otherwise whether there is a suggestion, or what is wrong with it."""
    if not os.path.isdir(case + "/in") or os.path.exists(case + "/stdin"):
        return None
    args = shlex.split(open(case + "/cmd").read())
    if any(a.split("=")[0] in OTHERS or a.startswith("--data-values-") and "inspect" in a for a in args):
        return None
    r = random.Random("%s:%s" % (seed, os.path.basename(case)))
    with tempfile.TemporaryDirectory() as tmp:
        dir = tmp + "/in"
        shutil.copytree(case + "/in", dir)
        env = dict(os.environ)
        if os.path.exists(case + "/env"):
            env.update(line.rstrip("\n").split("=", 1) for line in open(case + "/env") if "=" in line)
        args = [a.replace("${DIR}", dir) for a in args]
        try:
            before = run([weft] + args, dir, env)
            if "<<" in before.stdout:
                return None  # PyYAML does not write the key `"<<"` so that it stays one
            docs = read(before.stdout)
            was = meaning(docs)
            for _ in range(r.randint(1, 5)):
                edit(r, r.choice(docs))
            text = written(docs)
            if before.returncode or meaning(docs) == was or meaning(read(text)) != meaning(docs):
                return None
        except (yaml.YAMLError, IndexError, UnicodeError, TypeError):
            return None
        with open(tmp + "/edited.yml", "w") as f:
            f.write(text)
        p = run([weft, "suggest"] + args + ["--to", tmp + "/edited.yml", "--write"], dir, env)
        if p.returncode:
            return p.returncode == 1 or p.stderr, False
        more = [line for line in p.stdout.split("\n") if line.startswith("then render with ")]
        after = run([weft] + args + shlex.split(" ".join(more)[len("then render with "):]), dir, env)
        if after.returncode or meaning(read(after.stdout)) != meaning(docs):
            return p.stdout + after.stderr, False
        return True, True


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("--cases", required=True)
    p.add_argument("--n", type=int, default=500)
    p.add_argument("--seed", type=int, default=7)
    opt = p.parse_args()
    names = sorted(g + "/" + c for g in os.listdir(opt.cases) for c in os.listdir(os.path.join(opt.cases, g)))
    random.Random(opt.seed).shuffle(names)
    tried = found = 0
    wrong = False
    for name in names:
        result = attempt(os.path.abspath(opt.bin), os.path.join(opt.cases, name), opt.seed)
        if result is None:
            continue
        tried, found = tried + 1, found + result[1]
        if result[0] is not True:
            wrong = True
            print("%s: the suggestion is wrong:\n%s" % (name, result[0]))
        if tried == opt.n:
            break
    print("%d of %d edited outputs have a proved suggestion" % (found, tried))
    sys.exit(wrong or found < .9 * tried or tried == 0)


if __name__ == "__main__":
    main()

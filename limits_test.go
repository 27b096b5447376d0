package weft_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"weft"
)

// What would take more steps or more memory than there is ends at once, before it is begun, and
// says where.
func TestRefusedBeforeItIsMade(t *testing.T) {
	const million = "1000*1000"
	huge := million + "*" + million
	const steps, atOnce, bits = "took too many steps", "no value may take more than 1 GiB", "an integer of"
	for _, tt := range []struct{ code, want string }{
		{"x = list(range(" + huge + "))", steps},
		{"x = tuple(range(" + huge + "))", steps},
		{"x = sorted(range(" + huge + "))", steps},
		{"x = reversed(range(" + huge + "))", steps},
		{"x = enumerate(range(" + huge + "))", steps},
		{"x = enumerate(range(" + huge + "), 5)", steps},
		{"x = zip(range(" + huge + "), range(" + huge + "))", steps},
		{"x = set(range(" + huge + "))", steps},
		{"x = dict(range(" + huge + "))", steps},
		{"x = bytes(range(" + huge + "))", steps},
		{"x = all(range(1, " + huge + "))", steps},
		{"x = any(range(" + huge + "))", steps},
		{"x = max(range(" + huge + "))", steps},
		{"x = min(range(" + huge + "))", steps},
		{"x = max(*range(" + huge + "))", steps},
		{"l = []\nl.extend(range(" + huge + "))", steps},
		{"l = []\nf = l.extend\nf(range(" + huge + "))", steps},
		{"l = []\ngetattr(l, 'extend')(range(" + huge + "))", steps},
		{"l = []\nl += range(" + huge + ")", steps},
		{"l = set()\nx = l.union(range(" + huge + "))", steps},
		{"d = {}\nd.update(range(" + huge + "))", steps},
		{"x = list(range(900*" + million + "))", atOnce},
		{"x = sorted(range(900*" + million + "))", atOnce},
		{"x = [0] * (900*" + million + ")", atOnce},
		{"x = (900*" + million + ") * (0,)", atOnce},
		{"x = [0]\nx *= 900*" + million, atOnce},
		{"s = 'a' * (" + million + ")\nx = ','.join([s] * (100*1000))", atOnce},
		{"s = 'a' * (" + million + ")\nf = ','.join\nx = f([s] * (100*1000))", atOnce},
		{"s = 'a' * (" + million + ")\nx = s.replace('a', s)", atOnce},
		{"s = 'a' * (" + million + ")\nx = s.replace('', s)", atOnce},
		{"s = 'a,' * (25*" + million + ")\nx = s.split(',')", atOnce},
		{"s = 'a ' * (25*" + million + ")\nx = s.split()", atOnce},
		{"s = 'a\\n' * (25*" + million + ")\nx = s.splitlines()", atOnce},
		{"s = 'a' * (" + million + ")\nx = ('{0}' * (100*1000)).format(s)", atOnce},
		{"s = 'a' * (" + million + ")\nx = ('{a}' * (100*1000)).format(a=s)", atOnce},
		{"s = 'a' * (" + million + ")\nx = ('%s' * (100*1000)) % ((s,) * (100*1000))", atOnce},
		{"s = 'a' * (" + million + ")\nx = ('%(a)s' * (100*1000)) % {'a': s}", atOnce},
		{"load('@ytt:regexp', 'regexp')\ns = 'a' * (40*1000)\nx = regexp.replace('a', s, s)", atOnce},
		{"load('@ytt:regexp', 'regexp')\ns = 'a' * (" + million + ")\nx = regexp.replace('a+', s, '$0' * (" + million + "))", atOnce},
		{"load('@ytt:json', 'json')\nx = json.encode(['a' * (" + million + ")] * 2000)", "longer than 256 MiB"},
		{"load('@ytt:yaml', 'yaml')\nx = yaml.encode(['a' * (" + million + ")] * 2000)", "longer than 256 MiB"},
		{"load('@ytt:toml', 'toml')\nx = toml.encode({'a': ['a' * (" + million + ")] * 2000})", "longer than 256 MiB"},
		{"x = 3\nfor i in range(60):\n  x = x * x\nend", bits},
		{"x = 3\nfor i in range(60):\n  x *= x\nend", bits},
		{"x = int('9' * (10*" + million + "))", "300000 digits"},
		{"x = 1 << (" + million + ")", "shift count too large"},
		{"x = " + strings.Repeat("9", 1_000_000) + " % 7", "the number has 1000000 digits"},
	} {
		t.Run(tt.code[:min(len(tt.code), 60)], func(t *testing.T) {
			d := limitsOf(t, t.Context(), tt.code)
			if !strings.Contains(d.Message, tt.want) || d.Line == 0 {
				t.Errorf(
					"got %q at line %d, want one with %q and a place",
					d.Message,
					d.Line,
					tt.want,
				)
			}
		})
	}
}

// What stays within the limits is what Starlark makes of it, by way of the operators and methods
// that look at the limits too.
func TestLimitedOperatorsAreStarlarks(t *testing.T) {
	code := `
def check(got, want):
  if got != want or type(got) != type(want):
    fail("got {}, want {}".format(got, want))
  end
end
a, b, l, m = "ab", "c", [1], (2,)
check(a + b, "abc")
check(a + "-" + b + "-" + a, "ab-c-ab")
check(l + l, [1, 1])
check(m + m, (2, 2))
check(1 * a + 2 * b, "abcc")
check(l * 2, [1, 1])
check(2 * m, (2, 2))
n, f = 3, 1.5
check(n * n, 9)
check(n * f, 4.5)
check(n + f, 4.5)
same = l
l += m
check(same, [1, 2])
l += range(2)
check(same, [1, 2, 0, 1])
n += n
check(n, 6)
n *= n
check(n, 36)
s = a
s += b
check(s, "abc")
check(b.join([a, a]), "abcab")
check(a.replace("a", "aa"), "aab")
check(a.replace("", "."), ".a.b.")
check("x y".split(), ["x", "y"])
check("x-y-z".split("-", 1), ["x", "y-z"])
check("x-y-z".rsplit("-", 1), ["x-y", "z"])
check("x\ny\n".splitlines(), ["x", "y"])
join = b.join
check(join(["x", "y"]), "xcy")
check(getattr(b, "join")(["x", "y"]), "xcy")
check(getattr(b, "nothing", 7), 7)
check(type(join), "builtin_function_or_method")
check(sorted(set([1]).union([2])), [1, 2])
d = {}
d.update([("a", 1)], b=2)
check(d, {"a": 1, "b": 2})
check(list("ab".elems()), ["a", "b"])
check(list("aé".codepoints()), ["a", "é"])
check(sorted([2, 3, 1], reverse=True), [3, 2, 1])
check(max(1, 3, 2), 3)
check(max([1, 3], key=lambda x: -x), 1)
check(enumerate(["a"], 4), [(4, "a")])
check(zip([1, 2], "ab".elems()), [(1, "a"), (2, "b")])
check(int("12"), 12)
check(int("ff", 16), 255)
check((lambda *args: args)(*l), (1, 2, 0, 1))
check(dict([("a", 1)], b=2), {"a": 1, "b": 2})
x, y, z = [1, [2]], [1, [3]], {"a": [1]}
check([x == y, x != y, x < y, x <= y, x > y, x >= y], [False, True, True, True, False, False])
check([x == list(x), m == (2,), m < (2, 3), m in [m], m not in [m], [m].index(m)], [True, True, True, True, False, 0])
check([z == dict(z), z != {"a": [2]}, z == {"b": [1]}, z == m, m != z], [True, True, False, False, True])
check([a in {"ab": 1}, b in a, n in range(40), a in {}, n == f, f < n], [True, False, True, False, False, True])
check([n - n, n // n, f - n, n << n % 5, -n // n], [0, 1, -34.5, 72, -1])
n -= n
check(n, 0)
check([n | 6, n & 6, (n + 5) ^ (n + 6), {"a": 1} | z], [6, 0, 3, {"a": [1]}])
u = {"a": 1}
w = u
w |= {"b": 2}
check(u, {"a": 1, "b": 2})
check(["%d" % b_ for b_ in [3, -4]] + ["%x-%o" % (255, 8), "%(k)d" % {"k": 5}], ["3", "-4", "ff-10", "5"])
n = 9
n //= n
n <<= n
check(n, 2)
k = [1]
k.remove(1)
check(k, [])
check({"x": m}.items(), [("x", (2,))])
check(sorted([m, (1,)], key=lambda x: x), [(1,), (2,)])
check((m, a, n), ((2,), "ab", 2))
`
	if _, err := weft.Render(t.Context(), weft.Options{Files: []weft.File{starTemplate(code)}}); err != nil {
		t.Error(err)
	}
}

// What holds the same value over and over is small, but Starlark goes through it as often as it is
// held: it ends all the same, with a place, and so do integers that grow.
func TestSharedValuesEnd(t *testing.T) {
	const tuple, steps, bits = "the tuple contains more than", "took too many steps", "bits, but the limit is"
	loop := func(begin, grow string, n int) string {
		return begin + "\nfor i in range(" + strconv.Itoa(n) + "):\n  " + grow + "\nend\n"
	}
	// an integer x that is nearly as long as an integer may be
	const long = "x = int('f' * 260000, 16)\n"
	for _, tt := range []struct{ code, want string }{
		{loop("t = ()", "t = (t, t)", 60), tuple},
		{loop("t = ()", "t = t, t", 60), tuple},
		{loop("t = (1,)", "t = (t,) * 300", 9), tuple},
		{loop("t = (1,)", "t *= 300\n  t = (t,)", 9), tuple},
		{loop("t = (1,)", "t = (t,) + (t,)", 60), tuple},
		{loop("t = (1,)", "t += (t,)", 60), tuple},
		{loop("t = (1,)", "t = tuple([t, t])", 60), tuple},
		{loop("t = (1,)", "t = zip([t], [t])[0]", 60), tuple},
		{loop("t = (1,)", "t = {t: t}.items()[0]", 60), tuple},
		{loop("t = (1,)", "t = getattr({t: t}, 'items')()[0]", 60), tuple},
		{loop("def f(*a):\n  return a\nend\nt = (1,)", "t = f(t, t)", 60), tuple},
		{loop("f = lambda *a: a\nt = (1,)", "t = f(t, t)", 60), tuple},
		{loop("def f(g, h):\n  return lambda: (g(), h())\nend\nt = lambda: 1", "t = f(t, t)", 60) + "l = [t]", "the variable l cannot be shared with other files"},
		{loop("def f(x):\n  def g(a=x, b=x):\n    return a\n  end\n  return g\nend\nt = 1", "t = f(t)", 60) + "l = {1: t}", "the variable l cannot be shared with other files"},
		{loop("l = [1]", "l = [l] * 300", 8) + "x = l == l", steps},
		{loop("l = [1]", "l = [l] * 300", 8) + "x = l <= l", steps},
		{loop("l = [1]", "l = [l] * 300", 8) + "x = l in [l]", steps},
		{loop("l = [1]", "l = [l] * 300", 8) + "x = [l].index(l)", steps},
		{loop("l = [1]", "l = [l] * 300", 8) + "x = sorted([l, l])", steps},
		{loop("l = [1]", "l = [l] * 300", 8) + "x = max(l, l)", steps},
		{loop("l = [1]", "l = [l] * 300", 8) + "x = min([1, 2], key=lambda x: l)", steps},
		{loop("l = {}", "l = {j: l for j in range(300)}", 8) + "x = l != l", steps},
		{loop("l = ['x']", "l = [l, l]", 60) + "x = '%s' % (l, 1)", "longer than 64 MiB"},
		{long + loop("", "x = x << 511", 10_000), bits},
		{long + loop("", "x <<= 511", 10_000), bits},
		{long + loop("x = [x]", "x[0] <<= 511", 10_000), bits},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + loop("", "x = x + x", 10_000_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + loop("", "x -= -x", 10_000_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + "y = x - 1\n" + loop("", "z = x // y", 10_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + "y = x - 1\n" + loop("", "z = x % y", 10_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + loop("", "z = str(x)", 10_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + loop("", "z = '%d' % x", 10_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + loop("", "z = '%x %s' % (x, 1)", 10_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + "y = x - 1\n" + loop("", "z = x & y", 10_000), steps},
		{"x = 1 << 511\n" + loop("", "x = x * x", 10) + "y = x - 1\n" + loop("", "x |= y", 10_000), steps},
	} {
		t.Run(tt.code[:min(len(tt.code), 80)], func(t *testing.T) {
			_, err := weft.Render(
				t.Context(),
				weft.Options{Files: []weft.File{starTemplate(tt.code)}, Limits: weft.Limits{Steps: 300_000}},
			)
			e, ok := errors.AsType[*weft.Error](err)
			if !ok {
				t.Fatalf("got %v, want an error of the input", err)
			}
			if d := e.Diagnostics()[0]; !strings.Contains(d.Message, tt.want) || d.Line == 0 {
				t.Errorf(
					"got %q at line %d, want one with %q and a place",
					d.Message,
					d.Line,
					tt.want,
				)
			}
		})
	}
}

// Functions and tuples are shared freely where no one has to go through them.
func TestSharedValuesAreFine(t *testing.T) {
	code := `
def make():
  def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)
  end
  return factorial
end
factorial = make()
def both(f, g):
  return lambda n: f(n) if n else g(n)
end
f = factorial
for i in range(60):
  f = both(f, f)
end
t = ()
for i in range(20000):
  t = (i, t)
end
d = {t: 1}
if f(5) != 120 or len(d) != 1:
  fail("wrong")
end
def count(*args):
  return len(args)
end
if count((1, 2), (1, 2)) != 2 or (lambda *a: a[1])(1, (2, 3)) != (2, 3):
  fail("wrong")
end
`
	if _, err := weft.Render(t.Context(), weft.Options{Files: []weft.File{starTemplate(code)}}); err != nil {
		t.Error(err)
	}
}

// Small bites end as well: the run is watched, and code is stopped where it is.
func TestMemoryIsWatched(t *testing.T) {
	for _, code := range []string{
		"l = []\nfor i in range(100*1000*1000):\n  l.append('x' * 500000 + str(i))\nend",
		"s = 'ab'\nfor i in range(60):\n  s = s + s\nend",
		"d = {'s': 'ab'}\nfor i in range(60):\n  d['s'] += d['s']\nend",
		"x = {i: 'x' * 100000 + str(i) for i in range(100*1000*1000)}",
	} {
		runtime.GC() // what the last one left
		ctx, stop := weft.LimitMemory(t.Context(), 64<<20)
		d := limitsOf(t, ctx, code)
		stop()
		if !strings.Contains(d.Message, "64 MiB") || d.Line == 0 ||
			d.Hint != "raise the limit with --max-memory" {
			t.Errorf("%s: got %q at line %d, hint %q", code, d.Message, d.Line, d.Hint)
		}
	}
}

// Starlark compares a name that a module lacks with all names of the module, which takes the square
// of their lengths: long ones are not compared.
func TestLongNamesAreNotCompared(t *testing.T) {
	name := strings.Repeat("y", 5_000_000)
	d := limitsOf(t, t.Context(), "load('@ytt:json', 'z"+name+"')")
	if !strings.Contains(d.Message, "the module has no name zyyy") || strings.Contains(d.Hint, "did you mean") {
		t.Errorf("got %.100s, hint %.100s", d.Message, d.Hint)
	}
}

// limitsOf is the one thing that is wrong with the code.
func limitsOf(t *testing.T, ctx context.Context, code string) weft.Diagnostic {
	t.Helper()
	began := time.Now()
	_, err := weft.Render(ctx, weft.Options{Files: []weft.File{starTemplate(code)}})
	e, ok := errors.AsType[*weft.Error](err)
	if !ok {
		t.Fatalf("%s: got %v, want an error of the input, after %s", code, err, time.Since(began))
	}
	return e.Diagnostics()[0]
}

// starTemplate is a template that runs code.
func starTemplate(code string) weft.File {
	return weft.File{
		Path: "in.yml",
		Data: []byte(
			"#@ " + strings.ReplaceAll(strings.TrimSpace(code), "\n", "\n#@ ") + "\na: 1\n",
		),
	}
}

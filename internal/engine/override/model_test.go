package override

import (
	"fmt"
	"slices"
	"strings"

	"weft/internal/lang/tree"
	"weft/internal/lang/yaml"
)

// The model is what overrides mean, said as plainly as possible: values are Go's own, nothing is
// shared, nothing is kept as it was written. It is what the package is held against.

type (
	mScalar string            // kind and text
	mList   []any             //
	mGone   mScalar           // the place of an entry that was removed, by its name
	mObject map[string]mField // by key, whose kind is part of it
	mField  struct {
		at  int // its place
		val any
	}
)

const mNull = mScalar("null")

// mOf is a value of the package as one of the model.
func mOf(v tree.Value) any {
	var r tree.Reader
	switch v.Kind() {
	case tree.MapKind:
		o := mObject{}
		for i, it := range r.Items(nil, v) {
			o[fmt.Sprint(mOf(it.Key))] = mField{i, mOf(it.Value)}
		}
		return o
	case tree.ArrayKind:
		l := mList{}
		for _, it := range r.Items(nil, v) {
			l = append(l, mOf(it.Value))
		}
		return l
	}
	val, text := v.Scalar()
	switch val.Kind {
	case yaml.Null:
		return mNull
	case yaml.String:
		return mScalar("str:" + string(text))
	}
	return mScalar(fmt.Sprintf("%d:%s", val.Kind, yaml.AppendValue(nil, val, nil, 0)))
}

// mText is a value of the model as text: equal values have equal texts, whatever the order of keys.
func mText(v any) string {
	switch v := v.(type) {
	case mList:
		var parts []string
		for _, x := range v {
			parts = append(parts, mText(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case mObject:
		var parts []string
		for k, f := range v {
			parts = append(parts, fmt.Sprintf("%q: %s", k, mText(f.val)))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("%q", v)
}

const (
	mRemove  = "str:$remove"
	mReplace = "str:$replace"
	mName    = "str:name"
	mTrue    = mScalar("1:true")
)

func mSays(v any, key string) bool {
	o, ok := v.(mObject)
	return ok && o[key].val == mTrue
}

// mMerge is base with an override in it.
func mMerge(base, over any) any {
	b, isMap := base.(mObject)
	o, alsoMap := over.(mObject)
	if isMap && alsoMap && !mSays(over, mReplace) {
		out := mObject{}
		for k, f := range b {
			out[k] = f
		}
		for k, f := range o {
			if k == mRemove || k == mReplace {
				continue
			}
			old, there := out[k]
			switch {
			case f.val == mNull || mSays(f.val, mRemove):
				delete(out, k)
			case there:
				out[k] = mField{old.at, mMerge(old.val, f.val)}
			default:
				out[k] = mField{len(b) + f.at, mClean(f.val)}
			}
		}
		return out
	}
	bl, isList := base.(mList)
	ol, alsoList := over.(mList)
	if isList && alsoList && len(ol) > 0 && mKeyed(bl) && mKeyed(ol) {
		out := append(mList{}, bl...)
		for _, entry := range ol {
			name, met, free := mNameOf(entry), false, -1
			for i, x := range out {
				switch {
				case x == any(mGone(name)) && free < 0:
					free = i
				case mNameOf(x) == name && mSays(entry, mRemove):
					out[i], met = mGone(name), true
				case mNameOf(x) == name:
					out[i], met = mMerge(x, entry), true
				}
			}
			switch {
			case met || mSays(entry, mRemove):
			case free >= 0:
				out[free] = mClean(entry)
			default:
				out = append(out, mClean(entry))
			}
		}
		return slices.DeleteFunc(out, func(x any) bool { _, is := x.(mGone); return is })
	}
	return mClean(over)
}

func mKeyed(l mList) bool {
	return !slices.ContainsFunc(l, func(x any) bool { return mNameOf(x) == mNull })
}

// mNameOf is what tells an entry from others, or null.
func mNameOf(x any) mScalar {
	o, ok := x.(mObject)
	if !ok {
		return mNull
	}
	if s, ok := o[mName].val.(mScalar); ok {
		return s
	}
	return mNull
}

// mClean is an override where there is nothing to merge it with.
func mClean(v any) any {
	switch v := v.(type) {
	case mList:
		if len(v) > 0 && mKeyed(v) {
			return mMerge(mList{}, v)
		}
		out := mList{}
		for _, x := range v {
			if !mSays(x, mRemove) {
				out = append(out, mClean(x))
			}
		}
		return out
	case mObject:
		out := mObject{}
		for k, f := range v {
			if k != mRemove && k != mReplace && f.val != mNull && !mSays(f.val, mRemove) {
				out[k] = mField{f.at, mClean(f.val)}
			}
		}
		return out
	}
	return v
}

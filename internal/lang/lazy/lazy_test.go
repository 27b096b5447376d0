package lazy

import (
	"sync"
	"testing"
)

var made int

var value = Value[int]{New: func() int {
	made++
	return 7
}}

func TestValue(t *testing.T) {
	if made != 0 {
		t.Fatal("the value is made before it is used")
	}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if got := value.Get(); got != 7 {
				t.Errorf("got %d", got)
			}
		})
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("the value was made %d times", made)
	}
}

func TestRegexp(t *testing.T) {
	words := Regexp{Text: `\w+`}
	if got := words.Get().FindAllString("two words", -1); len(got) != 2 {
		t.Errorf("got %q", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression does not panic")
		}
	}()
	(&Regexp{Text: `(`}).Get()
}

; Helix cannot color the code in a comment apart from its mark, so that code and annotations each
; get one color. The rules stand before those of YAML, since the first one wins.

((comment) @special
  (#match? @special "^#@[ \t]"))
((comment) @attribute
  (#match? @attribute "^#@[^ \t]"))

; inherits: yaml

; extends

; #@overlay/match
((comment) @attribute
  (#lua-match? @attribute "^#@%S"))

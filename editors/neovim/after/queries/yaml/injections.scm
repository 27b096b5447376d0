; extends

; #@ code, as an own line or as a value
((comment) @injection.content
  (#lua-match? @injection.content "^#@%s")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "starlark"))

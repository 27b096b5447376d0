" Code of weft in the comments of YAML. The file type is yaml.weft, so that YAML's own rules are
" loaded before this file.

let s:before = get(b:, 'current_syntax', '')
unlet! b:current_syntax
syntax include @weftCode syntax/python.vim
let b:current_syntax = s:before ==# '' ? 'weft' : s:before

" They start where comments of YAML do, at the blank before the #, and come later: so they win.
syntax match weftComment /\%(^\|\s\)#!.*$/
syntax match weftComment /\%(^\|\s\)#@comment\>.*$/
syntax region weftLine matchgroup=weftMark start=/\%(^\|\s\)#@\ze\%(\s\|$\)/ end=/$/ oneline keepend
      \ contains=@weftCode,weftEnd
syntax match weftAnnotation /\%(^\|\s\)#@\%(comment\>\)\@![^ \t#!]\+/ nextgroup=weftArguments
syntax match weftArguments /.*$/ contained contains=@weftCode
syntax match weftEnd /\<end\>\ze\s*$/ contained
syntax match weftEnd /\<\%(if\|elif\|else\|for\|while\|def\)\/end\>/ contained

highlight default link weftComment Comment
highlight default link weftMark PreProc
highlight default link weftAnnotation PreProc
highlight default link weftEnd Statement

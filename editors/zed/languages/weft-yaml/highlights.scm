((comment) @embedded
  (#match? @embedded "^#@[ \t]"))
((comment) @attribute
  (#match? @attribute "^#@[^ \t]"))
((comment) @comment
  (#not-match? @comment "^#@"))

(block_mapping_pair key: (_) @property)
(flow_mapping (_ key: (_) @property))
[(double_quote_scalar) (single_quote_scalar) (block_scalar) (string_scalar)] @string
[(integer_scalar) (float_scalar)] @number
(boolean_scalar) @boolean
(null_scalar) @constant
[(anchor_name) (alias_name) (tag)] @type
["---" "..." "-" ":" "," "[" "]" "{" "}"] @punctuation

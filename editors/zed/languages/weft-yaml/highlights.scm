; The last rule for a text wins.

((comment) @embedded
  (#match? @embedded "^#@[ \t]"))
((comment) @attribute
  (#match? @attribute "^#@[^ \t]"))
((comment) @comment
  (#not-match? @comment "^#@"))

[(double_quote_scalar) (single_quote_scalar) (block_scalar) (string_scalar)] @string
[(integer_scalar) (float_scalar)] @number
(boolean_scalar) @boolean
(null_scalar) @constant
[(anchor_name) (alias_name) (tag)] @type
["---" "..." "-" ":" "," "[" "]" "{" "}"] @punctuation

(block_mapping_pair key: (flow_node [(plain_scalar (_) @property) (double_quote_scalar) @property (single_quote_scalar) @property]))
(flow_pair key: (flow_node [(plain_scalar (_) @property) (double_quote_scalar) @property (single_quote_scalar) @property]))

// Likely mistakes in the scripts of the pages. Names that do not exist are found by the TypeScript compiler.
export default [{
  files: ["**/*.js"],
  linterOptions: {reportUnusedDisableDirectives: "error"},
  rules: {
    "array-callback-return": "error", "constructor-super": "error", "eqeqeq": "error", "for-direction": "error",
    "getter-return": "error", "no-async-promise-executor": "error", "no-cond-assign": "error", "no-const-assign": "error",
    "no-constant-condition": "error", "no-control-regex": "error", "no-dupe-args": "error",
    "no-dupe-else-if": "error", "no-dupe-keys": "error",
    "no-duplicate-case": "error", "no-duplicate-imports": "error", "no-empty": "error", "no-fallthrough": "error",
    "no-func-assign": "error", "no-import-assign": "error", "no-self-assign": "error", "no-self-compare": "error",
    "no-unreachable": "error", "no-unsafe-finally": "error", "no-unsafe-negation": "error",
    "no-unused-expressions": "error", "no-unused-vars": "error", "no-useless-escape": "error", "no-var": "error",
    "prefer-const": ["error", {destructuring: "all"}], "use-isnan": "error", "valid-typeof": "error",
  },
}, {
  files: ["site/*.js", "playground/*.js"], // these are not modules
  languageOptions: {sourceType: "script"},
}]

@rem The same as weft-post-renderer, for Windows.
@weft -f - --file-mark stdin.yml:type=yaml-plain --keep all %*

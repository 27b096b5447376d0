(block_mapping_pair key: (_) @name) @item

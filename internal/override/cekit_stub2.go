package override
import ("context";"weft/internal/tree")
func (r *Reader) cekitArgument(ctx context.Context, a Argument, name string) ([]tree.Document, error) { return nil, nil}

package override
import ("context";"weft/internal/tree";"weft/internal/yaml")
func applyCEKit(ctx context.Context, left [][]tree.Document, overrides []tree.Document, opt *Options, log *log) ([][]tree.Document, error) {return left,nil}
func pythonScalar(v tree.Value) (yaml.Value, []byte) { return v.Scalar() }
const CEKitDescriptor = "image.yaml"
func CEKitView(d []tree.Document) []tree.Document { return d}

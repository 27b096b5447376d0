package suggest

import (
	"weft/internal/lang/path"
	"weft/internal/lang/tree"
	"weft/internal/origin/blame"
)

// chartOptions returns the way to change a line of a chart that hands on a value of a values file: in that file, if
// weft.yml names it for the chart. Files of the chart stay as they are.
func (s *search) chartOptions(c *choice, way path.Path, e blame.Event, after *tree.Value) []option {
	if s.now == nil || s.attempt.as != Auto || e.How != blame.Copied || len(e.Reads) != 1 || after == nil {
		return nil
	}
	if s.res.Origins.Leaf(e.Reads[0]).Document == "" {
		return nil
	}
	layers := s.blame.DataValue(e.Reads[0]).Layers
	if len(layers) == 0 {
		return nil
	}
	at := layers[len(layers)-1].At
	f := s.res.Files.File(at)
	if f == nil || !s.isChartValues(f.Shown()) || !s.mayChange(f) || s.isTemplate(f) ||
		s.isShared(f.Shown()) && !s.attempt.shared {
		return nil
	}
	return []option{s.literalAt(c, way, spot{file: f.Shown(), offset: at.Offset()}, after)}
}

// isChartValues reports whether a file is a values file of a chart of the environment.
func (s *search) isChartValues(name string) bool {
	settings, err := s.now.Environment(s.in.Env)
	if err != nil {
		return false
	}
	for _, chart := range settings.Charts {
		for _, x := range chart.Values {
			if x.Text == name {
				return true
			}
		}
	}
	return false
}

// generators returns the paths of the charts and kustomizations of all environments.
func (s *search) generators() (list []string) {
	for _, env := range s.environments() {
		settings, err := s.now.Environment(env)
		if err != nil {
			continue
		}
		for _, x := range settings.Charts {
			list = append(list, x.Chart.Text)
		}
		for _, x := range settings.Kustomizations {
			list = append(list, x.Dir.Text)
		}
	}
	return list
}

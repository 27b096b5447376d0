# Homebrew formula. Put it into the tap as Formula/weft.rb.
class Weft < Formula
  desc "{{.Summary}}"
  homepage "{{.URL}}"
  version "{{.Version}}"
  license "{{.License}}"
{{range $system := .Homebrew}}
  {{$system.Block}} do
{{- range $system.Assets}}
    {{if eq .Arch "arm64"}}on_arm{{else}}on_intel{{end}} do
      url "{{.URL}}"
      sha256 "{{.SHA256}}"
{{- if .EnginesURL}}
      resource "engines" do
        url "{{.EnginesURL}}"
        sha256 "{{.EnginesSHA256}}"
      end
{{- end}}
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "weft"
{{- if (index (index .Homebrew 0).Assets 0).EnginesURL}}
    resource("engines").stage do
      bin.install "weft-engines" # weft looks for it in its own directory
      doc.install "NOTICES.txt" => "NOTICES-weft-engines.txt"
    end
{{- end}}
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/weft.bash" => "weft"
    fish_completion.install "completions/weft.fish"
    zsh_completion.install "completions/_weft"
    doc.install "NOTICES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/weft version")
    (testpath/"sum.yml").write('sum: #@ 1 + 1')
    assert_equal "sum: 2\n", shell_output("#{bin}/weft -f sum.yml")
  end
end

package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// icon adds the icon of web/playground/icon.svg as pixels, for phones and for previews of links.
func (s *site) icon() error {
	const size, unit = 256, 16 // the drawing is 16 units wide
	scale := func(v float64) int { return int(v * size / unit) }
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	fill := func(x0, y0, x1, y1 float64, c color.Color) {
		for y := scale(y0); y < scale(y1); y++ {
			for x := scale(x0); x < scale(x1); x++ {
				img.Set(x, y, c)
			}
		}
	}
	fill(0, 0, unit, unit, color.NRGBA{0x0b, 0x57, 0xb7, 0xff})
	for _, x := range []float64{3, 6.3, 9.7, 13} { // the warp
		fill(x-0.6, 4, x+0.6, 12, color.White)
	}
	weft := color.NRGBA{0x9f, 0xd0, 0xff, 0xff}
	for _, line := range [][3]float64{{1.5, 4.5, 6.5}, {7.8, 11.4, 6.5}, {4.5, 7.9, 9.5}, {11.3, 14.5, 9.5}} {
		fill(line[0], line[2]-0.8, line[1], line[2]+0.8, weft)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	s.files["assets/icon.png"] = b.Bytes()
	return nil
}

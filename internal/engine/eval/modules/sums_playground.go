//go:build playground

package modules

import "weft/internal/engine/digest"

func md5Sum(text string) [16]byte    { return digest.MD5(text) }
func sha256Sum(text string) [32]byte { return digest.SHA256(text) }

package local

import (
	"crypto/subtle"
	"net/http"
	"time"
)

// ticketTime is how long a browser may take to start.
const ticketTime = time.Minute

// ticket leads to the page once. Other users can see the arguments of all programs, including the
// link that a browser is started with, so that link must not contain the token.
type ticket struct {
	path string // "" if it was used
	ends time.Time
}

// Ticket returns the path that leads a browser to the page, with the token. It works once, and not
// for long.
func (s *Server) Ticket() string {
	s.Token()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ticket = ticket{"/open/" + secret(), time.Now().Add(ticketTime)}
	return s.ticket.path
}

// use reports whether a path is that of the ticket. After that, the ticket is invalid.
func (s *Server) use(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.ticket
	if t.path == "" || time.Now().After(t.ends) ||
		subtle.ConstantTimeCompare([]byte(path), []byte(t.path)) != 1 {
		return false
	}
	s.ticket = ticket{}
	return true
}

// open redirects a request with the ticket to the page.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !s.use(r.URL.Path) {
		refuse(w, http.StatusGone, "this link worked once: use the one that weft has printed")
		return
	}
	w.Header().Set("Location", "/#token="+s.token)
	w.WriteHeader(http.StatusSeeOther)
}

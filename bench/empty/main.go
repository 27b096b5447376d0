// Command empty does nothing: what it takes is what any Go program takes to start.
package main

func main() {}

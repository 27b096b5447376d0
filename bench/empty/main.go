// Command empty does nothing. Its time is what every Go program needs to start.
package main

func main() {}

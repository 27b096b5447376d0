// Package browser says whether a program is built for the page of the playground. Code that the page does not
// call can then be left out, without a second version of the function around it: the condition is a constant.
package browser

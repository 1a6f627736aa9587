package main

// paperBugs are the paper's table 1: the seconds in which a bug was found in the
// modes normal, simple and polynomial, by algorithm and number of processes. A
// dash stands for one that was not found within ten minutes.
var paperBugs = map[string][]string{
	"bowman":         {"11, 2, 2", "168, 60, 54", "9, 290, 575", "66, 7, 507", "–, 288, 554", "–, –, 558"},
	"jayanti":        {"272, 393, 72", "149, 218, 98", "141, 253, 118", "302, 590, 142", "–, 386, 197", "–, –, 267"},
	"afek-bounded":   {"–, 242, 417", "–, 305, 506", "–, 417, –", "–, –, –", "–, –, –", "–, –, –"},
	"afek-unbounded": {"50, 422, 215", "163, 522, 255", "21, 441, 298", "95, 7, 326", "–, 256, 402", "–, –, 491"},
	"riany":          {"285, 445, 595", "172, 275, 512", "–, –, 579", "–, –, 508", "–, –, 502", "–, –, 586"},
}

// bounds are those of the paper's table 2 and larger ones, with what it has of
// them: the operations of each process, and the seconds in the modes simple and
// polynomial.
var bounds = []bound{
	{"bowman", 3, 0, "any number, 3, 11"},
	{"bowman", 4, 0, "any number, 134, 460"},
	{"bowman", 5, 0, "1, 158, 121"},
	{"bowman", 6, 0, "–"},
	{"bowman", 8, 0, "–"},
	{"bowman", 10, 0, "–"},
	{"jayanti", 3, 0, "–"},
	{"jayanti", 4, 1, "–"},
	{"afek-bounded", 3, 1, "1, 15, 31"},
	{"afek-bounded", 4, 1, "–"},
	{"afek-unbounded", 3, 0, "2, 2627, 2675"},
	{"afek-unbounded", 4, 1, "1, 154, 269"},
	{"riany", 3, 0, "–"},
	{"riany", 4, 1, "–"},
}

// paperHistories are the paper's tables 3 and 4, by length: the medians of its
// tool over the numbers of processes, and how many of the histories Lowe's tool
// decided within ten minutes.
var paperHistories = []struct {
	broken                  bool
	length                  int
	processes, median, lowe string
}{
	{false, 200, "5 to 20", "0.02–0.03 s", "32–100 %"},
	{false, 500, "5 to 20", "0.04–0.16 s", "16–100 %"},
	{false, 1000, "5 to 20", "0.07–0.56 s", "16–100 %"},
	{true, 50, "3 to 10", "0.06 s", "100 %"},
	{true, 100, "3 to 10", "0.03 s", "8–100 %"},
	{true, 200, "3 to 10", "0.03 s", "0–36 %"},
}

package pages

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A Rule is a row of one of the tables of rules.md, or one with a number of verdicts.md.
type Rule struct {
	// ID is its number: "E6", "W1".
	ID string
	// Section is what its table is about.
	Section string
	// Cells are what the table says of it, each with the heading of its column.
	Cells []Cell
	// Details are what stands below the table under its number: nothing for most.
	Details string
	// About is what stands above the table, or where that is nothing, above all tables.
	About string
	// URL is the section on the web.
	URL string
}

// A Cell is one thing that a table says.
type Cell struct{ Heading, Text string }

// against is the heading of the column that names the assumption that a rule speaks against.
const against = "against"

var (
	ruleRow = regexp.MustCompile(`^\| ([A-Z]+[0-9]+) \|`)
	// detailed is a heading "### W1: who comes".
	detailed  = regexp.MustCompile(`^### ([A-Z]+[0-9]+): `)
	notAnchor = regexp.MustCompile(`[^a-z0-9 -]`)
)

// Rules are the rules of rules.md in the order of the page: those of evidence (E), of what
// belongs together (X), and of fixes (F).
func Rules() []Rule { return rows("rules") }

// Assumptions are what a report takes for granted (W), each with the rules that speak against
// it, and why something is unknown (U), from the tables of verdicts.md.
func Assumptions() []Rule {
	out := rows("verdicts")
	for i, w := range out {
		var speak []string
		for _, r := range Rules() {
			if slices.Contains(r.Cells, Cell{against, w.ID}) {
				speak = append(speak, r.ID)
			}
		}
		if len(speak) == 0 {
			continue
		}
		out[i].Cells = append(w.Cells, Cell{"rules that speak " + against + " it", strings.Join(speak, ", ")})
	}
	return out
}

// rows are the rows with a number in the tables of a page.
func rows(page string) []Rule {
	var out []Rule
	var section, intro string
	var about, headings []string
	details := map[string][]string{}
	var of string // whose details the lines are
	for line := range strings.Lines(Topic(page)) {
		line = strings.TrimRight(line, " \n")
		title, isTitle := strings.CutPrefix(line, "## ")
		switch {
		case strings.HasPrefix(line, "# "):
		case isTitle:
			if section == "" {
				intro = paragraphs(about)
			}
			section, about, of = title, nil, ""
		case detailed.MatchString(line):
			of = detailed.FindStringSubmatch(line)[1]
		case of != "":
			details[of] = append(details[of], line)
		case ruleRow.MatchString(line):
			r := Rule{Section: section, About: cmp.Or(paragraphs(about), intro), URL: URL + page + ".md#" + anchor(section)}
			for i, text := range cells(line) {
				if i == 0 {
					r.ID = text
				} else {
					r.Cells = append(r.Cells, Cell{headings[i], text})
				}
			}
			out = append(out, r)
		case strings.HasPrefix(line, "|---"):
		case strings.HasPrefix(line, "|"):
			headings = cells(line)
		default:
			about = append(about, line)
		}
	}
	for i := range out {
		out[i].Details = paragraphs(details[out[i].ID])
	}
	return out
}

// RuleNamed is the rule or the assumption with that number, in letters of either case; ok
// is false if there is none.
func RuleNamed(id string) (r Rule, ok bool) {
	for _, r := range append(Rules(), Assumptions()...) {
		if strings.EqualFold(id, r.ID) {
			return r, true
		}
	}
	return Rule{}, false
}

func paragraphs(lines []string) string { return strings.TrimSpace(strings.Join(lines, "\n")) }

// cells are those of a row of a table.
func cells(row string) []string {
	var out []string
	for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
		out = append(out, strings.TrimSpace(cell))
	}
	return out
}

// anchor is what GitHub calls a section in an address.
func anchor(title string) string {
	return strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}

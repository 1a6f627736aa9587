// Package explain is the command that prints what a category of findings, a rule or a
// directive means.
package explain

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/pages"
)

// Command makes mapatom explain.
func Command(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [category|rule|assumption|directives|configuration|verdicts]",
		Short: "Explain a category of findings, or a rule",
		Long: `Explain prints what a category of findings means: the mistake, an example with
its message, the fixed form, and when it is fine. A category is given by its
identifier, which never changes, or its name. A rule, such as E6, X5 or F1, is
explained by what the table of rules says of it, and an assumption that a report
makes, W1 to W5, by what shows it and which rules speak against it; U1 is why
something is unknown. Without an argument it lists the categories.`,
		Example:           "  mapatom explain MA1001\n  mapatom explain lost-update\n  mapatom explain E6\n  mapatom explain W1",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(words(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return list(a)
			}
			text, ok := explanation(args[0])
			if !ok {
				return cli.Misuse("there is no category or rule %q; the categories are %s, and the rules %s%s", args[0],
					strings.Join(labels(), ", "), ranges(rules()), cli.DidYouMean(args[0], words()))
			}
			_, err := io.WriteString(a.Stdout, text)
			return err
		},
	}
}

// topics are the pages that are printed as they are.
var topics = map[string]string{
	"directives": "directives", "configuration": "configuration", "rules": "rules", "verdicts": "verdicts",
}

// explanation is what is printed for a word.
func explanation(word string) (text string, ok bool) {
	if page, ok := pages.Category(word); ok {
		return page.Text, true
	}
	if r, ok := pages.RuleNamed(word); ok {
		return ruleText(r), true
	}
	if topic, ok := topics[strings.ToLower(word)]; ok {
		return pages.Topic(topic), true
	}
	return "", false
}

// ruleText is all that the pages say of one.
func ruleText(r pages.Rule) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s.\n\n", r.ID, r.Section)
	for _, c := range r.Cells {
		fmt.Fprintf(&out, "- %s: %s\n", c.Heading, c.Text)
	}
	if r.Details != "" {
		fmt.Fprintf(&out, "\n%s\n", r.Details)
	}
	if r.About != "" {
		fmt.Fprintf(&out, "\n%s\n", r.About)
	}
	fmt.Fprintf(&out, "\nSee %s\n", r.URL)
	return out.String()
}

// words are what shells complete.
func words() []string {
	out := append(pages.Identifiers(), pages.Categories()...)
	return append(append(out, rules()...), "configuration", "directives", "rules", "verdicts")
}

func labels() []string {
	var out []string
	for _, name := range pages.Categories() {
		out = append(out, pages.Label(name))
	}
	return out
}

// rules are those of the tables, and the assumptions.
func rules() []string {
	var out []string
	for _, r := range append(pages.Rules(), pages.Assumptions()...) {
		out = append(out, r.ID)
	}
	return out
}

// ranges are identifiers by their letter, the first one and the last one of each.
func ranges(ids []string) string {
	first, last := map[byte]int{}, map[byte]int{}
	var letters []byte
	for _, id := range ids {
		n, err := strconv.Atoi(id[1:])
		if err != nil {
			continue
		}
		if _, ok := first[id[0]]; !ok {
			letters = append(letters, id[0])
			first[id[0]] = n
		}
		first[id[0]], last[id[0]] = min(first[id[0]], n), max(last[id[0]], n)
	}
	var out []string
	for _, l := range letters {
		text := fmt.Sprintf("%c%d", l, first[l])
		if last[l] > first[l] {
			text += fmt.Sprintf(" to %c%d", l, last[l])
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// list prints a line for each category.
func list(a *cli.App) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 8, 2, ' ', 0)
	for _, name := range pages.Categories() {
		page, _ := pages.Category(name)
		fmt.Fprintf(w, "%s\t%s\t%s\n", page.ID, name, page.Summary)
	}
	return w.Flush()
}

// Topic is a page of the documentation that help prints.
func Topic(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Long: strings.TrimSpace(pages.Topic(name))}
}

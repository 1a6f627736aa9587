package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/docs"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [category]",
		Short: "Explain a category of findings",
		Long: `Explain prints what a category of findings means: the mistake, an example with
its message, the fixed form, and when it is fine. Without an argument it lists
the categories.`,
		Example:           "  mapatom explain lost-update",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(docs.Categories(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listCategories()
			}
			page, ok := docs.Category(args[0])
			if !ok {
				return misuse("there is no category %q; there are %s", args[0], strings.Join(docs.Categories(), ", "))
			}
			_, err := io.WriteString(a.stdout, page.Text)
			return err
		},
	}
}

// listCategories prints a line for each category.
func (a *app) listCategories() error {
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	for _, name := range docs.Categories() {
		page, _ := docs.Category(name)
		fmt.Fprintf(w, "%s\t%s\n", name, page.Summary)
	}
	return w.Flush()
}

// topic is a page of the documentation that help prints.
func topic(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Long: strings.TrimSpace(docs.Topic(name))}
}

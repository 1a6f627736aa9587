// Package explain is the command that prints what a category means.
package explain

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/docs"
)

// Command makes mapatom explain.
func Command(a *cli.App) *cobra.Command {
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
				return list(a)
			}
			page, ok := docs.Category(args[0])
			if !ok {
				return cli.Misuse("there is no category %q; there are %s", args[0], strings.Join(docs.Categories(), ", "))
			}
			_, err := io.WriteString(a.Stdout, page.Text)
			return err
		},
	}
}

// list prints a line for each category.
func list(a *cli.App) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 8, 2, ' ', 0)
	for _, name := range docs.Categories() {
		page, _ := docs.Category(name)
		fmt.Fprintf(w, "%s\t%s\n", name, page.Summary)
	}
	return w.Flush()
}

// Topic is a page of the documentation that help prints.
func Topic(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Long: strings.TrimSpace(docs.Topic(name))}
}

#!/bin/sh
# Runs every command of docs/field-lineup.md and compares its exit status with
# the number behind it. mapatom is taken from the path. The libraries are
# downloaded if they have not been.
cd "$(dirname "$0")" || exit 1
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
grep '^    mapatom lineup ' ../../../docs/field-lineup.md > "$commands"
failed=0
while IFS= read -r line; do
	want=${line##*# }
	eval "${line%#*}" > /dev/null 2>&1 < /dev/null
	got=$?
	if [ "$got" != "$want" ]; then
		echo "exit status $got, not $want: $line"
		failed=1
	fi
done < "$commands"
[ "$failed" = 0 ] && echo "all as the page has it"
exit $failed

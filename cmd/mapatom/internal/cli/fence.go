package cli

// FenceHelp is what the help of the commands that run the user's code says about
// the harm that this could do.
const FenceHelp = `On Linux with
Landlock (6.2 or later) the code runs behind a fence: it reads its sources and
the system, writes only to a folder that is removed, cannot change modes or times
of files, start or signal processes, or reach the network. Elsewhere code is not
run that could reach these, as far as it can be read. -allow-io opens both.`

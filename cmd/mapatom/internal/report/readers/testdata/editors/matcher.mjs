// Reads lines, and prints what VS Code makes of them: matcher.mjs MATCHER FOLDER
import { readFileSync } from 'node:fs';

const vs = './node_modules/@codingame/monaco-vscode-api/vscode/src/vs/';
const { ProblemMatcherParser, createLineMatcher } = await import(vs + 'workbench/contrib/tasks/common/problemMatcher.js');
const { ValidationStatus } = await import(vs + 'base/common/parsers.js');

const [matcher, folder] = process.argv.slice(2);
const fail = (message) => { throw new Error(message); };
const logger = { info: fail, warn: fail, error: fail, fatal: fail, status: new ValidationStatus() };
const parsed = new ProblemMatcherParser(logger).parse(JSON.parse(matcher));
parsed.filePrefix = folder; // ${workspaceFolder}
const lines = createLineMatcher(parsed);

const problems = [];
for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  const { match } = lines.handle([line]);
  if (match) {
    const { severity, startLineNumber, startColumn, message, code, source } = await match.marker;
    problems.push({ file: (await match.resource).path, line: startLineNumber, column: startColumn, severity, message, code, source });
  }
}
console.log(JSON.stringify(problems));

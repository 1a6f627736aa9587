// Reads a .mapatom.yml, and prints what the YAML language server says of it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const text = readFileSync(0, 'utf8');
const server = spawn('node', ['node_modules/yaml-language-server/bin/yaml-language-server', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });

const settings = { validate: true, completion: true, schemaStore: { enable: false } };
const waiting = new Map();
let id = 0, buffer = Buffer.alloc(0), checked;
const diagnostics = new Promise((done) => { checked = done; });

function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function ask(method, params) {
  return new Promise((done) => { waiting.set(++id, done); send({ id, method, params }); });
}

server.stdout.on('data', (data) => {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const head = buffer.indexOf('\r\n\r\n');
    if (head < 0) return;
    const end = head + 4 + Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, head).toString())[1]);
    if (buffer.length < end) return;
    const message = JSON.parse(buffer.subarray(head + 4, end).toString());
    buffer = buffer.subarray(end);
    if (message.method === 'textDocument/publishDiagnostics') checked(message.params.diagnostics.map((d) => d.message));
    else if (message.method && message.id !== undefined) {
      const items = message.params?.items ?? [];
      send({ id: message.id, result: message.method === 'workspace/configuration' ? items.map((i) => (i.section === 'yaml' ? settings : null)) : null });
    } else waiting.get(message.id)?.(message.result);
  }
});

await ask('initialize', { processId: process.pid, rootUri: null, capabilities: { workspace: { configuration: true } } });
send({ method: 'initialized', params: {} });
const uri = 'file:///module/.mapatom.yml';
send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } });
const messages = await diagnostics;
const lines = text.split('\n');
const labels = async (line, character) => {
  const got = await ask('textDocument/completion', { textDocument: { uri }, position: { line, character } });
  return (got.items ?? got).map((i) => i.label);
};
const keys = await labels(lines.length - 1, 0);
const values = await labels(lines.length - 2, lines[lines.length - 2].indexOf(': ') + 2);
console.log(JSON.stringify({ messages, keys, values }));
server.kill();

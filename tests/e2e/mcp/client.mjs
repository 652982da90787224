// A real MCP client for the tests: starts `perfica-agent mcp` over stdio with a published SDK and calls run_command.
//
//   node client.mjs [OPTIONS] [COMMAND…]
//     --agent PATH      perfica-agent (default: the build folder's)
//     --cwd FOLDER      where the agent works
//     --client sdk      @modelcontextprotocol/sdk (the initialize era; default)
//     --client client   @modelcontextprotocol/client (both eras)
//     --era ERA         for `client`: legacy, auto or modern (2026-07-28, no initialize)
//     --arg ARGUMENT    one more argument for `perfica-agent mcp` (may be repeated)
//     --cancel MS       cancel each call after so many milliseconds
//     --together        all commands at once, not one after another
//
// Without COMMAND it reads JSON lines {"id", "command", "folder"?, "timeout_seconds"?, "cancel"?} from standard input
// and works on all of them at once, until it ends.
// Prints JSON lines: {"event":"ready","server","protocol","tools"}, {"event":"progress","id","message"},
// {"event":"result","id","command","ms","result"} or {"event":"failed","id","command","ms","code","message"}.

import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    agent: { type: 'string', default: fileURLToPath(new URL('../../../build/app/agent/perfica-agent', import.meta.url)) },
    cwd: { type: 'string', default: process.cwd() },
    client: { type: 'string', default: 'sdk' },
    era: { type: 'string', default: 'legacy' },
    arg: { type: 'string', multiple: true, default: [] },
    cancel: { type: 'string' },
    together: { type: 'boolean', default: false },
  },
});

const print = (line) => process.stdout.write(JSON.stringify(line) + '\n');

async function connect() {
  const stdio = { command: values.agent, args: ['mcp', ...values.arg], cwd: values.cwd, env: process.env, stderr: 'inherit' };
  const info = { name: 'perfica-e2e', version: '1.0.0' };
  if (values.client === 'sdk') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const client = new Client(info);
    const transport = new StdioClientTransport(stdio);
    let protocol;
    transport.setProtocolVersion = (version) => { protocol = version; };
    await client.connect(transport);
    return { client, protocol: () => protocol, call: (params, options) => client.callTool(params, undefined, options) };
  }
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const mode = values.era === 'modern' ? { pin: '2026-07-28' } : values.era;
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport(stdio));
  return { client, protocol: () => client.getNegotiatedProtocolVersion?.(), call: (params, options) => client.callTool(params, options) };
}

const { client, protocol, call } = await connect();
const { tools } = await client.listTools();
print({ event: 'ready', server: client.getServerVersion?.(), protocol: protocol(), tools: tools.map((tool) => tool.name) });

async function run({ id, command, folder, timeout_seconds, cancel }) {
  const began = performance.now();
  const controller = new AbortController();
  const timer = cancel === undefined ? undefined : setTimeout(() => controller.abort(new Error('cancelled by the test')), cancel);
  const ms = () => Math.round(performance.now() - began);
  try {
    const result = await call({ name: 'run_command', arguments: { command, folder, timeout_seconds } }, {
      signal: controller.signal,
      timeout: 1200000,
      onprogress: (progress) => print({ event: 'progress', id, message: progress.message, progress: progress.progress }),
    });
    print({ event: 'result', id, command, ms: ms(), result });
  } catch (error) {
    print({ event: 'failed', id, command, ms: ms(), code: error.code, message: String(error.message) });
  } finally {
    clearTimeout(timer);
  }
}

const cancel = values.cancel === undefined ? undefined : Number(values.cancel);
if (positionals.length > 0) {
  const calls = positionals.map((command, i) => ({ id: i + 1, command, cancel }));
  if (values.together)
    await Promise.all(calls.map(run));
  else
    for (const one of calls)
      await run(one);
} else {
  const under_way = [];
  for await (const line of createInterface({ input: process.stdin }))
    if (line.trim() !== '')
      under_way.push(run({ cancel, ...JSON.parse(line) }));
  await Promise.all(under_way);
}
await client.close();

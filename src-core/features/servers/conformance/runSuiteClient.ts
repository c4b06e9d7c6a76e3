import type { JsonObject } from '../../../base/json.ts';
import { exampleArguments } from '../../../registry/exampleValue.ts';
import { connectServer } from '../../../mcp/connectServer.ts';
import { modernRevision } from '../../../mcp/openLink.ts';
import type { ElicitRequestParams, ListedTool, McpConnection, ServerRequestHandlers } from '../../../mcp/types.ts';
import { createHeadlessSignIn, suiteContext, type SuiteContext } from './headlessSignIn.ts';

const times = { timeoutMs: 20_000, maxTotalMs: 25_000 };
/** The tool of the scenario `json-schema-2020-12-preservation`: its argument is the schema of the other tool, as it was received. */
const echoTool = 'json_schema_echo';

/**
 * Does what the conformance suite expects of a client: connects, signs in, lists and calls everything that the server offers. Rejects
 * with the first failure, which some scenarios expect.
 */
export async function runSuiteClient(options: {
  serverUrl: string;
  scenario: string;
  revision: string;
  /** JSON: see `suiteContext`. */
  context: string;
  clientInfo: { name: string; version: string };
  signal: AbortSignal;
}): Promise<void> {
  const { serverUrl, revision, clientInfo, signal } = options;
  const context = suiteContext.parse(JSON.parse(options.context));
  const authProvider = await createHeadlessSignIn({ ...options, context });
  const connection = await connectServer({
    endpoint: { type: 'http', url: serverUrl, headers: {} },
    observer: { onFrame() {}, onNote() {}, onStderr() {} },
    era: revision === modernRevision ? 'modern' : 'legacy',
    clientInfo,
    authProvider,
    signal,
    handlers,
  });
  try {
    const { tools } = await connection.listTools(signal);
    for (const { name, args } of callsOf(tools, context)) await connection.callTool(name, args, { ...times, signal });
    await readFirst(connection, signal);
  } finally {
    await connection.close();
  }
}

async function readFirst(connection: McpConnection, signal: AbortSignal): Promise<void> {
  const options = { ...times, signal };
  const [resource] = await connection.listResources(signal);
  if (typeof resource?.['uri'] === 'string') await connection.readResource(resource['uri'], options);
  const [prompt] = await connection.listPrompts(signal);
  if (typeof prompt?.['name'] === 'string') await connection.getPrompt(prompt['name'], {}, options);
}

function callsOf(tools: ListedTool[], { toolCalls }: SuiteContext): { name: string; args: JsonObject }[] {
  if (toolCalls) return toolCalls.map(({ name, arguments: args }) => ({ name, args }));
  return tools.map(({ name, inputSchema }) => {
    const other = tools.find((tool) => tool.name !== echoTool)?.inputSchema;
    if (name === echoTool && other) return { name, args: { schema: other } };
    return { name, args: exampleArguments(inputSchema) };
  });
}

/** Answers in place of the user: forms with their defaults. */
const handlers: ServerRequestHandlers = {
  elicit: (request) => Promise.resolve({ action: 'accept', content: defaultsOf(request) }),
  sample: () => Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'fixture' }),
  listRoots: () => Promise.resolve([]),
};

function defaultsOf(request: ElicitRequestParams): Record<string, string | number | boolean | string[]> {
  if (!('requestedSchema' in request)) return {};
  const fields = Object.entries(request.requestedSchema.properties);
  return Object.fromEntries(
    fields.flatMap(([name, field]) =>
      'default' in field && field.default !== undefined ? [[name, field.default]] : [],
    ),
  );
}

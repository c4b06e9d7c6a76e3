import type { Client } from '../rpc/client.ts';
import { visibleLine } from '../base/hiddenCharacters.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from '../base/json.ts';
import type { SamplingQuestion, ServerRequest } from '../contract/servers.ts';
import { convertArguments } from '../schema/convertArguments.ts';
import { issueText } from '../schema/invalidArguments.ts';
import { firstLine } from './firstLine.ts';
import { isYes, type Terminal } from './terminal.ts';

interface Asking {
  client: Client;
  terminal: Terminal;
  request: ServerRequest;
  /** The call that waits for the answer. */
  callId: string;
  /** Aborts when the call ends. */
  signal: AbortSignal;
}

/** Attempts at one form. */
const maxAttempts = 5;

/**
 * Asks the user what a server asks, in the terminal. Every text that the user decides on is shown in full. Returns false if the user
 * cannot be asked: the request is refused then.
 */
export async function answerRequest(asking: Asking): Promise<boolean> {
  const { client, terminal, request, callId, signal } = asking;
  const { requestId, serverName } = request;
  const asks = `${firstLine(serverName)} asks ${questionOf(request)}`;
  const text = request.message === '' ? '' : quoted(request.message);
  if (!terminal.interactive) {
    terminal.note(
      `toolwire: ${asks}, and the user cannot be asked here: it was refused. Run the command in a terminal to answer.\n${text}`,
    );
    // Other calls wait for the sign-in.
    if (!request.callIds.includes(callId)) await client.calls.cancel({ callId });
    else await answer(client, { requestId, action: request.kind === 'sampling' ? 'decline' : 'cancel' });
    return false;
  }
  terminal.note(`\n${asks}:\n${text}`);
  if (request.kind === 'sign-in') {
    // The browser returns to Toolwire.
    terminal.note(`  ${visibleLine(request.url ?? '')}\nOpen this page in a browser of this computer.\n`);
    return true;
  }
  const given = await ask(asking).catch((error: unknown) => {
    // The call has ended, or the server no longer waits.
    if (!signal.aborted) throw error;
    return undefined;
  });
  await answer(client, { requestId, ...(given ?? { action: 'cancel' }) });
  return true;
}

type Answer = Omit<Parameters<Client['servers']['answer']>[0], 'requestId'>;

async function answer(client: Client, given: Answer & { requestId: string }): Promise<void> {
  const isWaiting = (await client.servers.requests()).some(({ requestId }) => requestId === given.requestId);
  if (isWaiting) await client.servers.answer(given);
}

function questionOf({ kind }: ServerRequest): string {
  if (kind === 'sampling') return 'for a reply from a model';
  if (kind === 'sign-in') return 'to sign in';
  return kind === 'url' ? 'to open a page' : 'to fill in a form';
}

function ask(asking: Asking): Promise<Answer> {
  const { request } = asking;
  if (request.sampling) return askForReply(asking, request.sampling);
  return request.kind === 'url' ? askForPage(asking) : askForForm(asking, request.schema);
}

async function askForPage({ terminal, request, signal }: Asking): Promise<Answer> {
  const { url = '' } = request;
  const host = URL.canParse(url) ? ` (${new URL(url).host})` : '';
  terminal.note(`  ${visibleLine(url)}${host}\n`);
  const given = await terminal.ask('Open it in a browser yourself. Done? [y/N] ', signal);
  return { action: isYes(given) ? 'accept' : 'decline' };
}

/** The fields one after the other. What does not fit the schema is asked again. */
async function askForForm({ terminal, signal }: Asking, schema: JsonSchema = {}): Promise<Answer> {
  const properties: JsonObject = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const first = await terminal.ask('Answer it? [y/N, c: cancel the request] ', signal);
  if (/^c/i.test(first.trim())) return { action: 'cancel' };
  if (!isYes(first)) return { action: 'decline' };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const given: JsonObject = {};
    for (const [name, field] of Object.entries(properties)) {
      const text = await terminal.ask(`  ${fieldText(name, field, required.has(name))}: `, signal);
      const value = text === '' && isJsonObject(field) ? field['default'] : text;
      if (value !== undefined && value !== '') given[name] = listOf(field, value);
    }
    const { args, issues } = convertArguments({ args: given, inputSchema: schema, source: 'text' });
    if (issues.length === 0) return { action: 'accept', content: { ...args } };
    for (const issue of issues) terminal.note(`  ${firstLine(issueText(issue))}\n`);
  }
  terminal.note(`toolwire: The form was not filled in after ${maxAttempts} attempts: the request was declined.\n`);
  return { action: 'decline' };
}

/** A list is typed with commas. */
function listOf(field: JsonObject[string] | undefined, value: JsonObject[string]): JsonObject[string] {
  if (typeof value !== 'string' || !isJsonObject(field) || field['type'] !== 'array') return value;
  return value.startsWith('[') ? value : value.split(',').map((each) => each.trim());
}

function fieldText(name: string, field: JsonObject[string] | undefined, isRequired: boolean): string {
  if (!isJsonObject(field)) return visibleLine(name);
  const { title, description, type, default: given } = field;
  const choices = choicesOf(field);
  const facts = [
    type === 'array' ? 'list, with commas' : String(type ?? ''),
    ...(choices.length > 0 ? [choices.join(' | ')] : []),
    ...(isRequired ? ['required'] : []),
  ].filter(Boolean);
  const label = typeof title === 'string' && title !== name ? `${name}, ${title}` : name;
  const detail = typeof description === 'string' ? ` ${description}` : '';
  return visibleLine(
    `${label} (${facts.join('; ')})${detail}${given === undefined ? '' : ` [${JSON.stringify(given)}]`}`,
  );
}

function choicesOf(field: JsonObject): string[] {
  const of = isJsonObject(field['items']) ? field['items'] : field;
  if (Array.isArray(of['enum'])) return of['enum'].map(String);
  const titled = of['oneOf'] ?? of['anyOf'];
  if (!Array.isArray(titled)) return [];
  return titled.map((each) => (isJsonObject(each) ? String(each['const']) : ''));
}

async function askForReply({ client, terminal, request, signal }: Asking, question: SamplingQuestion): Promise<Answer> {
  const { system, messages, maxTokens, tools } = question;
  if (system !== undefined) terminal.note(quoted(`system: ${system}`));
  for (const { role, text } of messages) terminal.note(quoted(`${role}: ${text}`));
  for (const { name, description } of tools)
    terminal.note(quoted(description === undefined ? `tool ${name}` : `tool ${name}: ${description}`));
  terminal.note(`  at most ${maxTokens} tokens\n`);
  const first = await terminal.ask('Reply? [w: write it, m: ask the default model, N: refuse] ', signal);
  if (/^w/i.test(first.trim())) {
    const text = await terminal.ask('  reply: ', signal);
    return { action: 'accept', reply: { text, calls: [] } };
  }
  if (!/^m/i.test(first.trim())) return { action: 'decline' };
  const reply = await client.servers.draftReply({ requestId: request.requestId }, { signal });
  terminal.note(quoted(`${reply.model}: ${reply.text}`));
  for (const { name, input } of reply.calls) terminal.note(quoted(`calls ${name} ${JSON.stringify(input)}`));
  return isYes(await terminal.ask('Send it? [y/N] ', signal)) ? { action: 'accept', reply } : { action: 'decline' };
}

/** A text of several lines, each with a mark that tells it from what Toolwire says. */
function quoted(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines.map((line) => `  | ${visibleLine(line)}\n`).join('');
}

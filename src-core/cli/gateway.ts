import type { FinishedToolCall } from '../engine/executionOptions.ts';
import { createGateway, type Gateway } from '../features/gateway/createGateway.ts';
import { resolveSettings, type ResolvedSettings } from '../features/gateway/resolveSettings.ts';
import type { GatewaySettings } from '../contract/gateway.ts';
import type { GatewayEvent } from '../features/gateway/types.ts';
import type { ChatModel } from '../features/models/chatModel.ts';
import { environmentModel } from '../features/gateway/environmentModel.ts';
import { isLoopback, urlHost } from '../server/address.ts';
import { createListener } from '../server/createListener.ts';
import { describeThrown } from '../base/describeThrown.ts';
import { createToolRegistryManager } from '../registry/toolRegistryManager.ts';
import type { Command, GivenFlags } from './command.ts';
import { exitCodes } from './exitCodes.ts';
import { gatewayLogLine } from './gatewayLogLine.ts';
import type { Terminal } from './terminal.ts';
import { untilEnded } from './untilEnded.ts';
import { UsageError } from './usageError.ts';

/** `toolwire gateway`: the LLM gateway of docs/protocols/gateway.md, headless. */
export const gatewayCommand: Command = {
  name: 'gateway',
  summary: 'Run an LLM gateway for clients over WebSocket, until Ctrl+C.',
  details:
    'Settings come from the environment (CLOUD_*, LLM_*, MCP_*, CLIENT_TOOL*; docs/gateway.md lists them). Flags take precedence.\n' +
    'The log goes to standard error as lines of JSON, or as text if CLOUD_LOG_FORMAT is text.\n' +
    'The address is printed if standard output is a terminal, or with --json.\n' +
    'The API key is read only from LLM_API_KEY.',
  flags: {
    host: {
      type: 'string',
      value: 'ADDRESS',
      help: 'address to listen on; by default 0.0.0.0, all addresses (CLOUD_HOST)',
    },
    port: {
      type: 'string',
      value: 'PORT',
      help: 'port to listen on; by default 9400; 0 for any free port (CLOUD_PORT)',
    },
    'model-url': {
      type: 'string',
      value: 'URL',
      help: 'base URL of the OpenAI-compatible API, including /v1 (LLM_BASE_URL)',
    },
    model: { type: 'string', value: 'NAME', help: 'name of the model (LLM_MODEL)' },
    'allow-origin': {
      type: 'string',
      value: 'O,O…',
      help: 'origins of web pages that may connect, * for all; none by default (CLOUD_ALLOWED_ORIGINS)',
    },
    'tell-failures': {
      type: 'boolean',
      help: 'report failures of client tools to the model instead of ending the turn',
    },
    json: { type: 'boolean', help: 'print the address as one line of JSON once it listens' },
  },
  async run({ flags, terminal }) {
    const resolved = resolveSettings({ env: terminal.env, settings: settingsOf(flags) });
    checkSettings(resolved);
    const { values } = resolved;
    const model = modelOf(values);
    const log = (event: GatewayEvent): void => {
      const line = gatewayLogLine(event, new Date(), values);
      if (line !== undefined) terminal.note(line);
    };
    const onError = (error: unknown, where: string): void =>
      log({ level: 'ERROR', message: 'error', where, error: describeThrown(error) });

    const { host } = values;
    const listener = createListener({ host, port: values.port, onError: (error) => onError(error, 'the listener') });
    const { port } = await listener.listen();
    let gateway: Gateway | undefined;
    try {
      gateway = createGateway({
        listener,
        toolRegistryManager: createToolRegistryManager({ onError }),
        settings: () => values,
        onError,
        model: () => model,
        servesTestPage: true,
        callPolicy: () => ({ onCallEnd: (call) => log(callEvent(call)) }),
        onEvent: log,
        onFrame: (connection, { direction, note: { type, summary }, bytes }) =>
          log({ level: 'DEBUG', message: 'frame', connection, direction, type, summary, bytes }),
      });
      announce({ terminal, json: flags.isSet('json'), port, values, log });
      await untilEnded(terminal.ended);
      return exitCodes.ok;
    } finally {
      await gateway?.close();
      await listener.close();
      log({ level: 'INFO', message: 'closed' });
    }
  },
};

function settingsOf(flags: GivenFlags): Partial<GatewaySettings> {
  const port = flags.number('port', { min: 0, max: 65_535 });
  const [host, baseUrl, model] = [flags.text('host'), flags.text('model-url'), flags.text('model')];
  const allowedOrigins = flags.text('allow-origin');
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(model !== undefined && { model }),
    ...(allowedOrigins !== undefined && { allowedOrigins }),
    ...(flags.isSet('tell-failures') && { tellModelOfFailures: true }),
  };
}

const flagNames: Partial<Record<string, string>> = { baseUrl: '--model-url', allowedOrigins: '--allow-origin' };

/** A server that runs otherwise than it was told is worse than none. */
function checkSettings({ list }: ResolvedSettings): void {
  for (const { key, problem } of list) {
    if (problem === undefined) continue;
    throw new UsageError(problem.startsWith('This ') ? `${flagNames[key] ?? `--${key}`}: ${problem}` : problem);
  }
}

function modelOf({ baseUrl, model, apiKey }: GatewaySettings): ChatModel {
  try {
    return environmentModel({ baseUrl, model, apiKey });
  } catch (error) {
    throw new UsageError(describeThrown(error));
  }
}

function callEvent({ toolName, callId, result }: FinishedToolCall): GatewayEvent {
  const { status, durationMs, error } = result;
  const level = status === 'success' ? 'INFO' : 'WARNING';
  return {
    level,
    message: 'tool call',
    tool: toolName,
    callId,
    status,
    durationMs,
    ...(error && { code: error.code }),
  };
}

interface Announcement {
  terminal: Terminal;
  json: boolean;
  port: number;
  values: GatewaySettings;
  log: (event: GatewayEvent) => void;
}

function announce({ terminal, json, port, values, log }: Announcement): void {
  const { host, model, baseUrl, mcpEnabled, mcpServerName } = values;
  const url = `ws://${urlHost(host)}:${port}`;
  // A browser does not open 0.0.0.0 or ::.
  const reachable = `${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : urlHost(host)}:${port}/`;
  log({ level: 'INFO', message: 'listening', url, model, modelUrl: baseUrl, ...(mcpEnabled && { mcpServerName }) });
  if (!isLoopback(host) && host !== 'localhost') {
    log({
      level: 'WARNING',
      message: 'open to the network',
      host,
      advice: 'Every machine that reaches this address may use it, without a password. --host 127.0.0.1 keeps it here.',
    });
  }
  if (json) terminal.print(`${JSON.stringify({ url, host, port, model, modelUrl: baseUrl, pid: process.pid })}\n`);
  else if (terminal.printsToUser)
    terminal.print(
      `LLM gateway at ${url}, with ${model} at ${baseUrl}. A page to try it: http://${reachable}. Press Ctrl+C to stop it.\n`,
    );
}

import { setTimeout } from 'node:timers/promises';
import { WebSocket } from 'ws';

import type { ErrorReporter } from '../base/reportError.ts';
import { defaultPorts } from '../defaultPorts.ts';
import { DataDirInUseError, joinOrOpen, type RunningRecord } from '../rpc/runningWorkbench.ts';
import { revokedCode, yieldedCode } from '../rpc/serveBrowser.ts';
import type { ServedWorkbench } from '../serveWorkbench.ts';
import type { HostScope } from '../contract/hosts.ts';
import type { HostOffered } from '../features/hosts/hostServer.ts';
import { ConnectionLostError, type Client } from '../rpc/client.ts';
import { chosenFlags, chosenOf, hostScopeOf } from './mcpChosenTools.ts';
import type { Command } from './command.ts';
import { clientOf } from './connect.ts';
import { dataDirFlag, dataDirOf } from './dataDirFlag.ts';
import { exitCodes } from './exitCodes.ts';
import { serveCapture } from './mcpCapture.ts';
import { serveConformance } from './mcpConformance.ts';
import { relayMcp, type McpLink } from './mcpRelay.ts';
import { writeProtocolLine } from './mcpStreams.ts';
import { noteAndLogError } from './noteError.ts';
import { builtRendererDir } from './rendererDir.ts';
import { UsageError } from './usageError.ts';
import { toolwireCommand } from './toolwireCommand.ts';

/** ms to wait for modules before the first answer. */
const loadMs = 5_000;
/** ms from the end of standard input, or of the connection, to the end of the process, at most. */
const endMs = 1_900;
/** ms for the desktop app to open a workbench after the data directory was left to it. */
const appStartMs = 10_000;
const leftToApp = 'The data directory is left to the desktop app.';

/** `toolwire mcp`: an MCP server for hosts that start a program. */
export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve the tools to an MCP host over standard input and output.',
  details:
    'Put this command into the configuration of an MCP host, which then starts it. Uses the workbench that runs on the data\n' +
    'directory, or starts one. Ends when standard input ends. Standard output contains only JSON-RPC; all else goes to standard error.',
  flags: {
    ...chosenFlags,
    find: { type: 'boolean', help: 'offer two tools that search and call the others, instead of a long list' },
    ...dataDirFlag,
    capture: {
      type: 'string',
      value: 'FILE',
      help: 'serve no tools, but answer as the MCP server in this capture did',
    },
    http: { type: 'boolean', help: 'With --conformance: over HTTP.', hidden: true },
    port: { type: 'string', value: 'PORT', help: 'Of --http; any free one by default.', hidden: true },
    conformance: { type: 'boolean', help: 'Serve what the conformance suite asks for.', hidden: true },
    json: { type: 'boolean', help: 'Print the URL as JSON.', hidden: true },
  },
  async run({ flags, terminal }) {
    if (['http', 'port', 'conformance', 'json'].some((flag) => flags.isSet(flag))) {
      if (!flags.isSet('http') || !flags.isSet('conformance'))
        throw new UsageError('--http and --conformance go together. "toolwire serve" serves your tools over HTTP.');
      return serveConformance(flags, terminal);
    }
    const capture = flags.text('capture');
    if (capture !== undefined) return serveCapture(capture, terminal);
    const dataDir = dataDirOf(flags);
    const chosen = chosenOf(flags);
    let scope: HostScope | undefined;
    const stopping = new AbortController();
    const signal = AbortSignal.any([terminal.ended, stopping.signal]);
    let served: ServedWorkbench | undefined;
    let connecting: Promise<McpLink> | undefined;
    let yieldedAt = -Infinity;
    const isLeft = (): boolean => performance.now() - yieldedAt < appStartMs;
    const onError = noteAndLogError(terminal, dataDir);
    const offeredBy = async (client: Client): Promise<string> => {
      await soon(client.tools.whenLoaded(), signal);
      scope ??= chosen === undefined || chosen.all ? 'all' : await hostScopeOf({ client, terminal }, chosen);
      return JSON.stringify({ scope, finds: flags.isSet('find') } satisfies HostOffered);
    };
    const open = async (): Promise<McpLink> => {
      const yielded = Promise.withResolvers<'lost'>();
      const onYield = (): void => {
        yieldedAt = performance.now();
        yielded.resolve('lost');
        served?.close().catch((error: unknown) => onError(error, 'the workbench'));
      };
      const found = await joinOrOpen({
        dataDir,
        async open() {
          if (isLeft()) throw new DataDirInUseError(dataDir);
          return openWorkbench({ dataDir, onYield, onError });
        },
        signal,
        onWait: ({ message }) => terminal.note(`toolwire: ${isLeft() ? leftToApp : message} Waiting for it.\n`),
      });
      served = found.opened;
      const { client, close } = found.running ?? clientOf(found.opened.workbench);
      const offered = await offeredBy(client).finally(close);
      if (found.opened) return linkTo(found.opened, offered, yielded.promise);
      const link = await linkOver(found.running.record, offered, () => void (yieldedAt = performance.now()));
      // Perhaps the app's, which need not be waited for after its end.
      yieldedAt = -Infinity;
      return link;
    };
    const connect = async (): Promise<McpLink> => {
      for (;;) {
        try {
          return await open();
        } catch (error) {
          // That workbench has ended in the meantime.
          if (!(error instanceof ConnectionLostError)) throw error;
        }
      }
    };
    // Whatever starts or closes slowly, such as a module that hangs, must not keep the host waiting.
    const leave = (): void => void globalThis.setTimeout(() => process.exit(exitCodes.ok), endMs).unref();
    process.stdin.once('end', leave);
    try {
      const outcome = await relayMcp({
        input: process.stdin,
        write: writeProtocolLine,
        connect: () => (connecting = connect()),
        signal: terminal.ended,
      });
      leave();
      if (outcome === 'revoked') terminal.note('toolwire: The connection was ended in Toolwire.\n');
      stopping.abort();
      await connecting?.catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'AbortError')) throw error;
      });
      return exitCodes.ok;
    } finally {
      await served?.close();
      process.stdin.destroy();
    }
  },
};

/** Waits for the modules, since hosts read the list of tools once; a module that hangs keeps no host waiting. Ends with `ended`. */
async function soon(loaded: Promise<unknown>, ended: AbortSignal): Promise<void> {
  const timer = new AbortController();
  const signal = AbortSignal.any([timer.signal, ended]);
  await Promise.race([loaded, setTimeout(loadMs, undefined, { signal }).catch(() => undefined)]);
  timer.abort();
}

async function openWorkbench(options: {
  dataDir: string;
  onYield: () => void;
  onError: ErrorReporter;
}): Promise<ServedWorkbench> {
  const { serveWorkbench } = await import('../serveWorkbench.ts');
  return serveWorkbench({
    ...options,
    shell: 'browser',
    rendererDir: builtRendererDir(),
    uiPort: { port: defaultPorts.ui, mayMove: true },
    devicePort: { port: defaultPorts.devices, mayMove: true },
    command: toolwireCommand(),
  });
}

/** A link to the workbench of this process, which may leave the data directory to the desktop app. */
function linkTo({ workbench }: ServedWorkbench, offered: string, yielded: Promise<'lost'>): McpLink {
  const closed = Promise.withResolvers<'lost' | 'revoked'>();
  let toServer: ((text: string) => void) | undefined;
  let onServerClose: (() => void) | undefined;
  return {
    send: (text) => toServer?.(text),
    closed: Promise.race([yielded, closed.promise]),
    open: (onText) =>
      workbench.features.hosts.servePipe(
        {
          send: onText,
          open(receive, onClose) {
            toServer = receive;
            onServerClose = onClose;
          },
          close: () => closed.resolve('revoked'),
        },
        offered,
      ),
    close: () => onServerClose?.(),
  };
}

/** A link to the workbench of another process. Rejects if that takes none. `onYield`: it leaves the data directory to the app. */
function linkOver({ origin, bearerToken, pid }: RunningRecord, offered: string, onYield: () => void): Promise<McpLink> {
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/mcp`, {
    headers: { authorization: `Bearer ${bearerToken}` },
    perMessageDeflate: false,
    maxPayload: 0,
  });
  const closed = Promise.withResolvers<'lost' | 'revoked'>();
  socket.on('close', (code) => {
    if (code === yieldedCode) onYield();
    closed.resolve(code === revokedCode ? 'revoked' : 'lost');
  });
  return new Promise((resolve, reject) => {
    socket.on('error', (error) => {
      if ('code' in error) return reject(new ConnectionLostError(error.message, { cause: error }));
      const message = `The workbench at ${origin} (process ${pid}) takes no MCP host: ${error.message}. End it, then try again.`;
      reject(new Error(message, { cause: error }));
      socket.terminate();
    });
    socket.once('open', () => {
      socket.send(offered);
      resolve({
        send: (text) => socket.send(text),
        open: (onText) => void socket.on('message', (data: Buffer) => onText(data.toString('utf8'))),
        closed: closed.promise,
        close: () => socket.close(),
      });
    });
  });
}

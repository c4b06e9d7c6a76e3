import { setTimeout } from 'node:timers/promises';

import { describeThrown } from '../base/describeThrown.ts';
import { maskSecrets } from '../base/maskSecrets.ts';
import {
  conformanceRevisions,
  type ConformanceResults,
  type ConformanceRevision,
  type ConformanceScenario,
} from '../contract/conformance.ts';
import { offerOf, suiteScenarios } from '../features/servers/conformance/scenarios.ts';
import { ConnectFailure } from '../mcp/errors.ts';
import { version } from '../base/version.ts';
import type { Command, GivenFlags } from './command.ts';
import { withWorkbench } from './connect.ts';
import { dataDirFlag } from './dataDirFlag.ts';
import { ExitError, exitCodes } from './exitCodes.ts';
import { firstLine } from './firstLine.ts';
import { createNeededServers, findServer } from './neededServers.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usageError.ts';

const pollMs = 100;

/** What a run in the terminal came to. */
interface SuiteRun {
  target: string;
  revision: ConformanceRevision;
  scenarios: ConformanceScenario[];
  stopped?: ConformanceResults['stopped'];
}

/** `toolwire conformance`: the official suite against a server. */
export const conformanceCommand: Command = {
  name: 'conformance',
  argument: { label: 'SERVER|URL', required: true },
  summary: 'Run the official MCP conformance suite against a server.',
  details:
    'SERVER is the id or the name of a stored MCP server, which is started if it is approved. URL is the address of a server\n' +
    'over Streamable HTTP. The suite connects through an address of this computer, and uses separate processes or sessions.\n' +
    'Scenarios that do not apply to the server are listed separately: those about HTTP for a server over stdio, those about\n' +
    'capabilities that the server does not declare, and those that call names that only test servers of the suite have.\n' +
    'Exit code 1 if a required scenario fails; with --scenario, if that scenario fails.',
  flags: {
    requirements: {
      type: 'string',
      value: 'REVISION',
      help: `${conformanceRevisions.join(' or ')}; by default, that of the server`,
    },
    scenario: { type: 'string', value: 'NAME', help: 'run only this scenario' },
    json: { type: 'boolean', help: 'print all scenarios with their checks as JSON' },
    ...dataDirFlag,
  },
  async run({ argument = '', flags, terminal }) {
    const asked = revisionOf(flags);
    const scenario = flags.text('scenario');
    checkScenario(scenario, asked);
    const of = { asked, scenario, terminal };
    const run = /^https?:\/\//i.test(argument)
      ? await runOnUrl(argument, of)
      : await runOnServer(argument, { ...of, flags });
    if (flags.isSet('json')) terminal.print(`${JSON.stringify(run, null, 2)}\n`);
    else terminal.print(textOf(run));
    if (run.stopped === 'cancelled') return exitCodes.interrupted;
    if (run.stopped !== undefined) throw new Error(run.stopped.text);
    const faults = run.scenarios.filter(({ verdict, gap, required }) =>
      scenario === undefined ? verdict === 'failed' && gap === undefined && required : verdict === 'failed',
    );
    return faults.length > 0 ? exitCodes.failed : exitCodes.ok;
  },
};

interface Asked {
  asked: ConformanceRevision | undefined;
  scenario: string | undefined;
  terminal: Terminal;
}

async function runOnUrl(url: string, { asked, scenario, terminal }: Asked): Promise<SuiteRun> {
  if (!URL.canParse(url)) throw new UsageError(`"${url}" is not a URL.`);
  const endpoint = { type: 'http' as const, url, headers: {} };
  const { connectServer } = await import('../mcp/connectServer.ts');
  const connection = await connectServer({
    endpoint,
    era: 'auto',
    clientInfo: { name: 'toolwire', version },
    observer: { onFrame: () => undefined, onNote: () => undefined, onStderr: () => undefined },
    handlers: {},
    signal: terminal.ended,
  }).catch((error: unknown) => {
    if (!(error instanceof ConnectFailure)) throw error;
    if (error.code !== 'unauthorized') throw new ExitError(error.message, exitCodes.unreachable);
    const remedy =
      'Add the server to Toolwire, sign in or set its header Authorization, and run the suite on its name.';
    throw new ExitError(`The server requires credentials (401). ${remedy}`, exitCodes.refused);
  });
  const signal = terminal.ended;
  const empty = (): never[] => [];
  const [{ tools }, resources, templates, prompts] = await Promise.all([
    connection.listTools(signal),
    connection.listResources(signal).catch(empty),
    connection.listResourceTemplates(signal).catch(empty),
    connection.listPrompts(signal).catch(empty),
  ])
    .catch((error: unknown) => {
      throw signal.aborted ? error : new ExitError(`tools/list: ${describeThrown(error)}`, exitCodes.unreachable);
    })
    .finally(() => connection.close());
  const revision = asked ?? suitedTo(connection.revision);
  checkScenario(scenario, revision);
  const scenarios: ConformanceScenario[] = [];
  const progress = createProgress(terminal, scenario === undefined ? countOf(revision) : 1);
  const offer = offerOf(endpoint, connection.capabilities, { tools, lists: { resources, templates, prompts } });
  try {
    const { runConformance } = await import('../features/servers/conformance/runConformance.ts');
    await runConformance({
      endpoint,
      offer,
      revision,
      ...(scenario !== undefined && { scenarios: [scenario] }),
      mask: maskSecrets,
      signal: terminal.ended,
      onStart: (name) => progress.show(scenarios.length, name),
      onFinish: (finished) => void scenarios.push(finished.scenario),
      onError: (error) => terminal.note(`toolwire: ${error instanceof Error ? error.message : String(error)}\n`),
    });
  } catch (error) {
    if (!terminal.ended.aborted) throw error;
    return { target: maskSecrets(url), revision, scenarios, stopped: 'cancelled' };
  } finally {
    progress.end();
  }
  return { target: maskSecrets(url), revision, scenarios };
}

async function runOnServer(
  wanted: string,
  { asked, scenario, terminal, flags }: Asked & { flags: GivenFlags },
): Promise<SuiteRun> {
  let run: SuiteRun | undefined;
  await withWorkbench({ flags, terminal }, async ({ client }) => {
    const servers = createNeededServers({ client, terminal });
    try {
      const { id, name } = await findServer(client, wanted);
      await servers.start(await findServer(client, id));
      const revision = asked ?? suitedTo((await findServer(client, id)).revision);
      checkScenario(scenario, revision);
      const begun = Date.now();
      await client.conformance.run({ id, revision, ...(scenario !== undefined && { scenarios: [scenario] }) });
      const cancel = (): void => void client.conformance.cancel({ id }).catch(() => undefined);
      terminal.ended.addEventListener('abort', cancel);
      if (terminal.ended.aborted) cancel();
      const progress = createProgress(terminal, scenario === undefined ? countOf(revision) : 1);
      let state = await client.conformance.state({ id });
      while (state.running !== undefined) {
        progress.show(state.running.done, state.running.scenario ?? '');
        await setTimeout(pollMs);
        state = await client.conformance.state({ id });
      }
      progress.end();
      terminal.ended.removeEventListener('abort', cancel);
      const { scenarios = [], stopped } = state.results.find((each) => each.revision === revision) ?? {};
      run = {
        target: name,
        revision,
        scenarios: scenarios.filter(({ at }) => at >= begun),
        ...(stopped !== undefined && { stopped }),
      };
      return exitCodes.ok;
    } finally {
      await servers.stop();
    }
  });
  if (run === undefined) throw new Error('The suite did not run.');
  return run;
}

function createProgress(terminal: Terminal, total: number): { show(done: number, name: string): void; end(): void } {
  let shown = '';
  return {
    show(done, name) {
      const line = `${done} of ${total}  ${firstLine(name)}`;
      if (line === shown || name === '') return;
      shown = line;
      if (terminal.interactive && terminal.replaceLine) terminal.replaceLine(line);
      else terminal.note(`${line}\n`);
    },
    end() {
      if (shown !== '' && terminal.interactive) terminal.replaceLine?.('');
    },
  };
}

function revisionOf(flags: GivenFlags): ConformanceRevision | undefined {
  const given = flags.text('requirements');
  const found = conformanceRevisions.find((each) => each === given);
  if (given !== undefined && found === undefined)
    throw new UsageError(`--requirements must be ${conformanceRevisions.join(' or ')}; it is "${given}".`);
  return found;
}

function checkScenario(scenario: string | undefined, revision: ConformanceRevision | undefined): void {
  if (scenario === undefined) return;
  const revisions = revision === undefined ? conformanceRevisions : [revision];
  const known = revisions.flatMap((each) => [...suiteScenarios[each].required, ...suiteScenarios[each].more]);
  if (!known.includes(scenario))
    throw new UsageError(
      `The suite has no scenario "${scenario}"${revision === undefined ? '' : ` for ${revision}`}. There are: ${[...new Set(known)].join(', ')}.`,
    );
}

function suitedTo(revision: string | undefined): ConformanceRevision {
  return revision === '2026-07-28' ? revision : '2025-11-25';
}

function countOf(revision: ConformanceRevision): number {
  return suiteScenarios[revision].required.length + suiteScenarios[revision].more.length;
}

const headings = {
  faults: 'Faults',
  passed: 'Passed',
  fixtures: 'Need the suite’s fixtures: a server without these names fails by design',
  notApplicable: 'Not applicable: another transport, or a capability that is not declared',
};

function textOf({ target, revision, scenarios, stopped }: SuiteRun): string {
  const groupOf = ({ verdict, gap }: ConformanceScenario): keyof typeof headings => {
    if (gap?.because === 'fixtures') return 'fixtures';
    if (gap !== undefined) return 'notApplicable';
    return verdict === 'passed' ? 'passed' : 'faults';
  };
  const lines = Object.entries(headings).flatMap(([group, heading]) => {
    const rows = scenarios.filter((each) => groupOf(each) === group);
    return rows.length === 0 ? [] : ['', `${heading} (${rows.length})`, ...rows.flatMap(linesOf)];
  });
  const required = scenarios.filter((each) => each.required && each.gap === undefined);
  const passed = required.filter(({ verdict }) => verdict === 'passed').length;
  const faults = scenarios.filter((each) => groupOf(each) === 'faults').length;
  return [
    `${firstLine(target)}, ${revision}`,
    ...lines,
    '',
    `${passed} of ${required.length} required scenarios that apply passed; ${faults} ${faults === 1 ? 'fault' : 'faults'}${stopped === undefined ? '' : '; stopped half-way'}.`,
    '',
  ].join('\n');
}

function linesOf({ name, verdict, gap, required, checks }: ConformanceScenario): string[] {
  const failed = checks.filter(({ status }) => status === 'failure');
  const mark = gap !== undefined ? 'n/a   ' : verdict === 'passed' ? 'ok    ' : 'FAILED';
  const missing =
    gap === undefined || gap.missing.length === 0 ? '' : `  (missing: ${gap.missing.map(firstLine).join(', ')})`;
  const shown = gap === undefined ? failed : [];
  return [
    `  ${mark} ${name}${required ? '' : ', not required'}${missing}`,
    ...shown.map(({ id, description, message, references }) =>
      [
        `           ${firstLine(id)}: ${firstLine(message ?? description)}`,
        ...references.slice(0, 1).map(({ url }) => `\n           ${firstLine(url)}`),
      ].join(''),
    ),
  ];
}

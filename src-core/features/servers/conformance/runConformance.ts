import type {
  ConformanceCheck,
  ConformanceFrame,
  ConformanceRevision,
  ConformanceScenario,
} from '../../../contract/conformance.ts';
import type { SignInProvider } from '../../../mcp/auth/types.ts';
import type { ServerEndpoint } from '../../../mcp/types.ts';
import { openBridge } from './bridgeServer.ts';
import { createHttpCarrier } from './httpCarrier.ts';
import { createMessageCarrier } from './messageCarrier.ts';
import { inapplicable, suiteScenarios, type ServerOffer } from './scenarios.ts';
import { runSuiteProcess, type SuiteResult } from './suiteProcess.ts';

/** Frames of a scenario that are kept. */
const maxFrames = 200;
/** Characters of a text of a check. */
const maxText = 4_000;

/** A scenario with its verdict and the messages between the suite and the server. */
export interface FinishedScenario {
  scenario: ConformanceScenario;
  frames: ConformanceFrame[];
}

/**
 * Runs the conformance suite against a server: all scenarios of a revision, or some. The server is reached through a bridge of this
 * computer, with separate processes or sessions. @throws {Error} If the suite cannot run, or the signal aborts.
 */
export async function runConformance(options: {
  endpoint: ServerEndpoint;
  /** Its token is sent with each request. */
  authProvider?: SignInProvider | undefined;
  offer: ServerOffer;
  revision: ConformanceRevision;
  scenarios?: readonly string[];
  /** Removes secrets. */
  mask(text: string): string;
  onStart(scenario: string): void;
  onFinish(finished: FinishedScenario): void;
  onError(error: unknown): void;
  signal: AbortSignal;
}): Promise<void> {
  const { endpoint, authProvider, offer, revision, scenarios, mask, onStart, onFinish, onError, signal } = options;
  const bridge = await openBridge({
    createCarrier: (record) =>
      endpoint.type === 'http'
        ? createHttpCarrier({ url: endpoint.url, headers: endpoint.headers, authProvider, record })
        : createMessageCarrier({ endpoint, authProvider, record }),
    mask,
    onError,
  });
  const isRequired = new Set(suiteScenarios[revision].required);

  function finish({ scenario: name, startedAt, endedAt, checks }: SuiteResult): void {
    const gap = inapplicable(name, offer);
    const frames = bridge.framesBetween(startedAt, endedAt).slice(0, maxFrames);
    onFinish({
      scenario: {
        name,
        required: isRequired.has(name),
        verdict: checks.length === 0 || checks.some(({ status }) => status === 'failure') ? 'failed' : 'passed',
        ...(gap && { gap: { because: gap.because, missing: 'missing' in gap ? gap.missing : [] } }),
        checks: checks.map((check) => maskCheck(check, mask)),
        at: startedAt,
        durationMs: endedAt - startedAt,
        frames: frames.length,
      },
      frames,
    });
  }

  try {
    const common = { url: bridge.url, revision, onStart, onResult: finish, signal };
    if (scenarios === undefined) await runSuiteProcess(common);
    for (const scenario of scenarios ?? []) await runSuiteProcess({ ...common, scenario });
  } finally {
    await bridge.close();
  }
}

function maskCheck(check: ConformanceCheck, mask: (text: string) => string): ConformanceCheck {
  const { description, message, details } = check;
  const shown = (text: string): string => mask(text).slice(0, maxText);
  return {
    ...check,
    description: shown(description),
    ...(message !== undefined && { message: shown(message) }),
    ...(details !== undefined && { details: shown(details) }),
  };
}

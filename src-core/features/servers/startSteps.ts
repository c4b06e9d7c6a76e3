import type { ServerStep, ServerStepView } from '../../contract/servers.ts';
import type { ServerEndpoint } from '../../mcp/types.ts';

/** Characters of a fact, whose secrets are masked. */
const maxFactLength = 500;

/** How far the start of a server has come. */
export class StartSteps {
  readonly #steps = new Map<ServerStep, Pick<ServerStepView, 'outcome' | 'facts'>>();

  /** ms from the start, or from the end of a sign-in, until the server was ready. */
  startMs: number | undefined;
  /** Lines on stdout that are not JSON-RPC. */
  junkLines = 0;

  get pending(): ServerStep | undefined {
    return [...this.#steps].findLast(([, { outcome }]) => outcome === 'pending')?.[0];
  }

  /** All steps of a transport, in their order. */
  list(type: ServerEndpoint['type']): ServerStepView[] {
    const reach = type === 'stdio' ? (['program', 'process'] as const) : (['reach'] as const);
    const signIn = this.#steps.has('sign-in') ? (['sign-in'] as const) : [];
    return (['approval', ...reach, ...signIn, 'initialize', 'lists'] as const).map((step) => ({
      step,
      ...(this.#steps.get(step) ?? { outcome: 'unreached', facts: [] }),
    }));
  }

  set(step: ServerStep, outcome: ServerStepView['outcome'], facts: string[] = []): void {
    this.#steps.set(step, { outcome, facts: facts.map((fact) => fact.slice(0, maxFactLength)) });
  }

  failPending(): void {
    for (const [step, { outcome, facts }] of this.#steps) if (outcome === 'pending') this.set(step, 'failed', facts);
  }

  clear(): void {
    this.#steps.clear();
    this.startMs = undefined;
    this.junkLines = 0;
  }
}

/** A fact of a step in words. A number is shown with its name. */
export function wordFact([name, fact]: [string, string | number]): string {
  if (name === 'limitMs') return `no answer in ${Number(fact) / 1_000} s`;
  if (name === 'pid') return `pid ${fact}`;
  return name === 'exitCode' ? `exit code ${fact}` : String(fact);
}

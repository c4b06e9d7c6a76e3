import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import { isJsonObject } from '../../base/json.ts';
import type { SignInRow, SignInView } from '../../contract/serverSignIn.ts';
import { signInSteps, type SignInStep } from '../../mcp/auth/types.ts';
import type { KeyValueStore } from '../../store/types.ts';

const settingsKey = 'servers.signIns';
const maxRows = 100;

const storedSignIn = z.object({
  /** The port to which the browser returns: some authorization servers compare it with the registered one. */
  port: z.number().optional(),
  /** The issuer that the configured client belongs to, since its first use. */
  boundIssuer: z.string().optional(),
  signedIn: z
    .object({
      issuer: z.string(),
      clientId: z.string().optional(),
      scope: z.string().optional(),
      expiresAt: z.number().optional(),
      refreshes: z.boolean(),
      bound: z.boolean(),
    })
    .optional(),
  rows: z.array(
    z.object({
      at: z.number(),
      step: z.enum(signInSteps),
      outcome: z.enum(['passed', 'failed', 'absent', 'pending']),
      request: z.string().optional(),
      status: z.number().optional(),
      facts: z.array(z.string()),
      failure: z
        .object({ text: z.string(), code: z.string().optional(), params: z.record(z.string(), z.any()).optional() })
        .optional(),
      count: z.number().optional(),
    }),
  ),
});
type StoredSignIn = z.infer<typeof storedSignIn>;

/** The recorded steps of the sign-ins at each server, without secrets. */
export interface SignInTimelines {
  of(serverId: string): Omit<SignInView, 'redirectUrl'> & { port?: number; boundIssuer?: string };
  add(serverId: string, step: SignInStep): void;
  set(
    serverId: string,
    change: { port?: number; boundIssuer?: string | undefined; signedIn?: SignInView['signedIn'] | undefined },
  ): void;
  forget(serverId: string): void;
}

export function createSignInTimelines(options: {
  store: Pick<KeyValueStore, 'get' | 'set'>;
  clock: Pick<Clock, 'wall'>;
  onChange: () => void;
  onError: (error: unknown, where: string) => void;
}): SignInTimelines {
  const { store, clock, onChange, onError } = options;
  const stored = store.get(settingsKey);
  const servers = new Map<string, StoredSignIn>(
    Object.entries(isJsonObject(stored) ? stored : {}).flatMap(([id, signIn]) => {
      const { data, error } = storedSignIn.safeParse(signIn);
      if (error) onError(error, 'the sign-ins at an MCP server');
      return data === undefined ? [] : [[id, { ...data, rows: data.rows.map(settled) }] as const];
    }),
  );

  function save(id: string, now: StoredSignIn): void {
    servers.set(id, now);
    // Members that are undefined are left out: JSON has none.
    store.set(settingsKey, JSON.parse(JSON.stringify(Object.fromEntries(servers))) as never);
    onChange();
  }
  const of = (id: string): StoredSignIn => servers.get(id) ?? { rows: [] };

  return {
    of: (id) => of(id) as ReturnType<SignInTimelines['of']>,
    add(id, step) {
      const { rows, ...rest } = of(id);
      save(id, { ...rest, rows: added(rows as SignInRow[], { ...step, at: clock.wall() }).slice(-maxRows) });
    },
    set: (id, change) => save(id, { ...of(id), ...change }),
    forget(id) {
      if (!servers.delete(id)) return;
      store.set(settingsKey, JSON.parse(JSON.stringify(Object.fromEntries(servers))) as never);
    },
  };
}

/** A wait that another step has followed, or that ended with the program. */
function settled<R extends { outcome: SignInRow['outcome'] }>(row: R): R {
  return row.outcome === 'pending' ? { ...row, outcome: 'passed' } : row;
}

function added(rows: SignInRow[], row: SignInRow): SignInRow[] {
  const last = rows.at(-1);
  const isSameFailure = last?.outcome === 'failed' && row.outcome === 'failed' && last.step === row.step;
  if (!isSameFailure || row.request !== undefined) {
    // An answer of another sign-in does not end the wait for the browser.
    const isIgnored = row.failure?.code === 'signIn.wrong-state';
    return [...(isIgnored ? rows : rows.map(settled)), row];
  }
  const before = rows.slice(0, -1);
  // The explanation of a request that failed.
  if (last.failure === undefined) return [...before, { ...last, ...(row.failure && { failure: row.failure }) }];
  if (last.failure.code !== row.failure?.code) return [...rows, row];
  return last.request === undefined ? [...before, { ...last, at: row.at, count: (last.count ?? 1) + 1 }] : rows;
}

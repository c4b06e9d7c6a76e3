import { randomBytes } from 'node:crypto';

import type { RealtimeProfile } from '../../realtime/realtimeProfile.ts';
import type { ScriptedRealtimeServer } from '../../realtime/scripted/startScriptedRealtimeServer.ts';
import { startScriptedRealtimeServer } from '../../realtime/scripted/startScriptedRealtimeServer.ts';
import type { Clock } from '../../base/clock.ts';
import { RequestError } from '../../base/requestError.ts';

/** The address of a scripted profile's server, and the key that it requires. */
export interface ScriptedAddress {
  url: string;
  key: string;
}

/** The servers of scripted profiles: each starts when it is first asked for, on a free port of this machine. */
export interface ScriptedServers {
  /** Rejects once they are closed. */
  addressOf(profile: RealtimeProfile): Promise<ScriptedAddress>;
  /** The profile was changed or removed: its server ends, and the conversations with it. */
  drop(profileId: string): Promise<void>;
  close(): Promise<void>;
}

/** `paceMs` is the script's pace of speech, for tests; real time by default. */
export function createScriptedServers(options: { clock: Clock; paceMs?: number | undefined }): ScriptedServers {
  const running = new Map<string, Promise<{ server: ScriptedRealtimeServer; key: string }>>();
  let closed = false;

  async function start({ dialect, script }: RealtimeProfile): Promise<{ server: ScriptedRealtimeServer; key: string }> {
    const key = randomBytes(24).toString('base64url');
    return { key, server: await startScriptedRealtimeServer({ ...options, dialect, script, key }) };
  }

  async function drop(profileId: string): Promise<void> {
    const found = running.get(profileId);
    running.delete(profileId);
    // If it could not start, the caller that requested it has the error.
    const started = await found?.catch(() => undefined);
    await started?.server.close();
  }

  return {
    async addressOf(profile) {
      if (closed) throw new RequestError('Toolwire is closing.');
      const started = running.get(profile.id) ?? start(profile);
      running.set(profile.id, started);
      try {
        const { server, key } = await started;
        return { url: server.url, key };
      } catch (error) {
        if (running.get(profile.id) === started) running.delete(profile.id);
        throw error;
      }
    },
    drop,
    async close() {
      closed = true;
      await Promise.all([...running.keys()].map(drop));
    },
  };
}

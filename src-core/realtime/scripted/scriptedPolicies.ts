import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestPolicy } from '../../server/types.ts';
import type { RealtimeDialectName } from '../realtimeProfile.ts';

/** Requires `Authorization: Bearer KEY`, if a key is set. */
export function keyPolicy(key: string | undefined): RequestPolicy {
  if (key === undefined) return () => undefined;
  const wanted = digest(`Bearer ${key}`);
  return ({ headers }) =>
    timingSafeEqual(digest(headers.authorization ?? ''), wanted)
      ? undefined
      : { status: 401, message: 'Incorrect API key provided.' };
}

/** The header that tells OpenAI's beta from what it speaks today: one asks for it, the other has done away with it. */
export function betaHeaderPolicy(dialect: RealtimeDialectName): RequestPolicy {
  return ({ headers }) => {
    const isBeta = headers['openai-beta'] === 'realtime=v1';
    if (dialect === 'openai' && isBeta) {
      return {
        status: 400,
        message: 'The Realtime Beta API is no longer supported: leave out the header OpenAI-Beta.',
      };
    }
    if (dialect === 'openai-beta' && !isBeta) {
      return { status: 400, message: 'The beta needs the header "OpenAI-Beta: realtime=v1".' };
    }
    return undefined;
  };
}

/** All of one length, so that a comparison tells nothing of the key. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

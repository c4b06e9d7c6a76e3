import type { DeviceWire } from '../../../../deviceSide/client/deviceWire.ts';
import { helloMessage, standardWire } from '../../../../deviceSide/client/standardWire.ts';
import { virtualUserAgent } from '../virtualUserAgent.ts';
import { pythonJson } from './pythonJson.ts';

/** The socket of py-xiaozhi: a session id that is always empty, Python's JSON, a close frame with 1000. */
export const pyXiaozhiWire: DeviceWire = {
  ...standardWire,
  headers: ({ token }) => ({
    'User-Agent': virtualUserAgent,
    // Without a token Python writes its None.
    ...(token === undefined ? { Authorization: 'Bearer None' } : {}),
  }),
  hello: (name) => pythonJson(helloMessage({ name, frameDuration: 20 })),
  afterHello: () => [pythonJson({ session_id: '', type: 'listen', state: 'start', mode: 'manual' })],
  envelope: (payload) => `{"session_id": "", "type": "mcp", "payload": ${payload}}`,
};

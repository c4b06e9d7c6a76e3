import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openStore } from '../../helpers/testStore.ts';

const modules = 10;
const methods = 100;

const moduleText = `export default { methods: { ${Array.from(
  { length: methods },
  (_, at) => `m${at}: { description: 'Does thing ${at} of the lab, and says so.', handler: () => ${at},
    inputSchema: { type: 'object', properties: { level: { type: 'integer', maximum: 100 }, note: { type: 'string' } } } }`,
).join(',\n')} } };`;

/** A data directory as it is after months: so many calls in the history, and 1,000 tools in ten modules. */
export async function fillDataDir(dataDir: string, calls: number): Promise<void> {
  mkdirSync(join(dataDir, 'modules'), { recursive: true });
  for (let at = 0; at < modules; at++) writeFileSync(join(dataDir, 'modules', `lab${at}.js`), moduleText);
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  try {
    for (let at = 0; at < calls; at++) {
      const [toolId, methodName] = [`lab${at % modules}`, `m${at % methods}`];
      const qualifiedName = `${toolId}_${methodName}`;
      await store.history.append(
        {
          callId: `call-${at}`,
          toolId,
          methodName,
          qualifiedName,
          origin: 'executor',
          timeoutMs: 30_000,
          source: { kind: 'module', id: toolId, label: `${toolId}.js` },
          argsJson: JSON.stringify({ level: at % 100, note: `run ${at}` }),
          startedAt: 1_700_000_000_000 + at * 1_000,
          result: {
            requestId: `call-${at}`,
            toolName: qualifiedName,
            status: 'success',
            durationMs: 3,
            result: JSON.stringify({ level: at, words: 'the lamp is on and the radio plays '.repeat(4) }),
          },
        },
        { type: 'object', properties: { level: { type: 'integer' } } },
      );
    }
  } finally {
    await store.close();
  }
}

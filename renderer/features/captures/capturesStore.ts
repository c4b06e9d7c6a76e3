import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { CaptureInfo } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';
import { linePieces } from './linePieces.ts';

/** Imported captures, newest first. */
export const useCaptures = defineStore('captures', () => {
  const connection = injectConnection();
  const { client } = connection;
  const { data: list, loaded } = createResource<CaptureInfo[]>({
    connection,
    topics: ['captures'],
    initial: [],
    fetch: () => client.captures.list(),
  });
  return {
    list,
    /** Those of devices, of the gateway, of realtime conversations, and of MCP servers. */
    ofDevices: computed(() => list.value.filter(({ origin }) => origin === undefined)),
    ofGateway: computed(() => list.value.filter(({ origin }) => origin === 'gateway')),
    ofRealtime: computed(() => list.value.filter(({ origin }) => origin === 'realtime')),
    ofServers: computed(() => list.value.filter(({ origin }) => origin === 'mcp')),
    loaded,
    byId: computed(() => new Map(list.value.map((capture) => [capture.id, capture]))),
    /** Takes a file in, piece by piece; what was taken of one that breaks off is removed again. Resolves with the new capture. */
    async importFile(file: File, onProgress: (share: number) => void): Promise<Pick<CaptureInfo, 'id' | 'origin'>> {
      let captureId: string | undefined;
      try {
        for await (const { text, bytesRead } of linePieces(file)) {
          const taken = await client.captures.importPart({
            name: file.name.slice(0, 200),
            text,
            ...(captureId !== undefined && { captureId }),
          });
          captureId = taken.captureId;
          onProgress(file.size > 0 ? bytesRead / file.size : 1);
        }
        if (captureId === undefined) throw new Error('The file is empty');
        const id = captureId;
        return (await client.captures.list()).find((each) => each.id === id) ?? { id };
      } catch (cause) {
        if (captureId !== undefined) await client.captures.remove({ captureId, forGood: true });
        throw cause;
      }
    },
    rename: (captureId: string, name: string) => client.captures.rename({ captureId, name }),
    remove: (captureId: string) => client.captures.remove({ captureId }),
    asVirtual: (captureId: string) => client.captures.asVirtual({ captureId }),
  };
});

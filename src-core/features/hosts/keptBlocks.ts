import { randomUUID } from 'node:crypto';

import type { OfferedResources } from './offered.ts';
import type { KeepBlock, KeptBlock } from './toolResult.ts';

const scheme = 'toolwire://result/';
/** Blocks that are kept at one address. */
const maxBlocks = 16;

/** The blocks of answers that were too large to send, until newer ones displace them. */
export function createKeptBlocks(): { keep: KeepBlock; resources: OfferedResources } {
  const blocks = new Map<string, KeptBlock>();
  return {
    keep(block) {
      const uri = `${scheme}${randomUUID()}`;
      blocks.set(uri, block);
      for (const oldest of blocks.keys()) if (blocks.size > maxBlocks) blocks.delete(oldest);
      return uri;
    },
    resources: {
      list: () => [...blocks].map(([uri, { mimeType }]) => ({ uri, name: uri.slice(scheme.length), mimeType })),
      read(uri) {
        const block = blocks.get(uri);
        return block && { contents: [{ uri, ...block }] };
      },
    },
  };
}

/** The resources of several origins, each of which knows its own URIs. */
export function joinResources(...all: OfferedResources[]): OfferedResources {
  return {
    ...(all.some(({ updates }) => updates === false) && { updates: false }),
    list: async () => (await Promise.all(all.map(async (each) => each.list()))).flat(),
    templates: async () => (await Promise.all(all.map(async (each) => (await each.templates?.()) ?? []))).flat(),
    async read(uri, signal) {
      for (const each of all) {
        const found = await each.read(uri, signal);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

import { implement } from '@orpc/server';

import type { CapturesService } from '../../workbench/services.ts';
import { captures as contract } from '../../contract/captures.ts';

/** Captures as files, and their replay. */
export function capturesRouter(captures: CapturesService) {
  const os = implement(contract);
  return os.router({
    list: os.list.handler(() => captures.list()),
    exportPart: os.exportPart.handler(({ input }) => captures.exportPart(input)),
    importPart: os.importPart.handler(({ input }) => captures.importPart(input)),
    rename: os.rename.handler(async ({ input }) => {
      await captures.rename(input);
      return {};
    }),
    remove: os.remove.handler(async ({ input }) => {
      await captures.remove(input.captureId, input);
      return {};
    }),
    replay: os.replay.handler(({ input, signal }) => captures.replay(input, signal)),
    asVirtual: os.asVirtual.handler(({ input }) => captures.asVirtual(input)),
  });
}

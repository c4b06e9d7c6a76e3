import { implement } from '@orpc/server';

import type { VisionService } from '../../workbench/services.ts';
import { vision as contract } from '../../contract/vision.ts';

/** Pictures that devices sent. */
export function visionRouter(vision: VisionService) {
  const os = implement(contract);
  return os.router({
    list: os.list.handler(() => vision.list()),
    picture: os.picture.handler(({ input }) => vision.picture(input.id)),
    answer: os.answer.handler(({ input }) => {
      vision.answer(input);
      return {};
    }),
    snapshot: os.snapshot.handler(({ input, signal }) => vision.snapshot(input, signal)),
    remove: os.remove.handler(({ input }) => {
      vision.remove(input.id);
      return {};
    }),
  });
}

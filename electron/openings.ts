import { basename } from 'node:path';

import type { Opening } from '../src-core/contract/types.ts';
import { readDeepLink } from './deepLink.ts';
import type { ShowMessage } from './electronParts.ts';
import type { OpenRequest } from './openRequests.ts';
import type { ShellTexts } from './texts.ts';

/** Opens the files and links that the system passes, one after the other. A message box says what cannot be opened. */
export function createOpener(options: {
  openFile(path: string): Promise<Opening>;
  /** Hands it to the window. */
  show(opening: Opening): void;
  showMessage: ShowMessage;
  /** Called for each text: the language may have changed. */
  texts(): ShellTexts;
  onError(error: unknown): void;
}): (request: OpenRequest) => void {
  const { texts, onError } = options;
  let last: Promise<unknown> = Promise.resolve();

  async function open(request: OpenRequest): Promise<void> {
    const name = 'path' in request ? basename(request.path) : request.link.slice(0, 200);
    try {
      const opening = 'path' in request ? await options.openFile(request.path) : readDeepLink(request.link);
      if (opening === undefined) throw new Error(texts().noLink);
      options.show(opening);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      // Not awaited: the next file is opened while the box is shown.
      options
        .showMessage({ type: 'warning', message: texts().cannotOpen(name), detail, buttons: [texts().close] })
        .catch(onError);
    }
  }

  return (request) => {
    last = last.then(() => open(request));
  };
}

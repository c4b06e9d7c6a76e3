import { isAppUrl } from './appScheme.ts';
import type { SessionPart } from './electronParts.ts';

/** Nothing comes from outside the app, and the page may ask for nothing but to write to the clipboard. */
export function guardSession(session: SessionPart): void {
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    // A file that the page itself made, to be saved, has its address behind `blob:`.
    answer({ cancel: !isAppUrl(url.replace(/^blob:/, '')) && !/^(devtools|data):/.test(url) }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isGranted(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
  session.setDevicePermissionHandler(() => false);
}

/** Origins come with and without their closing slash. */
function isGranted(permission: string, from: string): boolean {
  return permission === 'clipboard-sanitized-write' && isAppUrl(`${from}/`);
}

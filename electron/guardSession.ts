import { isAppUrl } from './appScheme.ts';
import type { SessionPart } from './electronParts.ts';

/** Nothing comes from outside the app, and the page may ask for nothing but to write to the clipboard, to hear the microphone and to show notices. */
export function guardSession(session: SessionPart): void {
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    // A file that the page itself made, to be saved, has its address behind `blob:`.
    answer({ cancel: !isAppUrl(url.replace(/^blob:/, '')) && !/^(devtools|data):/.test(url) }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, mediaTypes }) =>
    answer(isGranted(permission, requestingUrl, mediaTypes)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, { mediaType }) =>
    isGranted(permission, origin, mediaType === undefined ? undefined : [mediaType]),
  );
  session.setDevicePermissionHandler(() => false);
}

/** Origins come with and without their closing slash. Of the media, sound alone: the page opens it when "Speak" is pressed. */
function isGranted(permission: string, from: string, media: readonly string[] | undefined): boolean {
  if (!isAppUrl(`${from}/`)) return false;
  if (permission === 'media') return media !== undefined && media.length > 0 && media.every((kind) => kind === 'audio');
  return permission === 'clipboard-sanitized-write' || permission === 'notifications';
}

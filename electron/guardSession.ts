import { isAppUrl } from './appScheme.ts';
import type { SessionPart, SystemPreferencesPart } from './electronParts.ts';

export interface GuardSessionOptions {
  platform: NodeJS.Platform;
  systemPreferences: SystemPreferencesPart;
  onError(error: unknown): void;
}

/** Cancels every request that leaves the app. Grants the page only the clipboard, the microphone and notifications. */
export function guardSession(
  session: SessionPart,
  { platform, systemPreferences, onError }: GuardSessionOptions,
): void {
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    // A file that the page itself created for saving has its origin behind `blob:`.
    answer({ cancel: !isAppUrl(url.replace(/^blob:/, '')) && !/^(devtools|data):/.test(url) }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame, mediaTypes }) => {
    const granted = isGranted(permission, { from: requestingUrl, isMainFrame, mediaTypes });
    if (!granted || permission !== 'media' || platform !== 'darwin') return answer(granted);
    // Electron does not ask macOS itself: while the user's decision is missing, the microphone would deliver silence.
    systemPreferences.askForMediaAccess('microphone').then(answer, (error: unknown) => {
      answer(false);
      onError(error);
    });
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame, mediaType }) =>
    isGranted(permission, { from: origin, isMainFrame, mediaTypes: mediaType === undefined ? [] : [mediaType] }),
  );
  session.setDevicePermissionHandler(() => false);
}

interface Requester {
  /** URL or origin, with or without a trailing slash. */
  from: string;
  isMainFrame: boolean;
  mediaTypes?: readonly string[] | undefined;
}

function isGranted(permission: string, { from, isMainFrame, mediaTypes = [] }: Requester): boolean {
  if (!isAppUrl(`${from}/`)) return false;
  switch (permission) {
    case 'media':
      return mediaTypes.length > 0 && mediaTypes.every((type) => type === 'audio');
    // Monaco's own context menu pastes through `navigator.clipboard.readText()`.
    case 'clipboard-read':
      return isMainFrame;
    default:
      return permission === 'clipboard-sanitized-write' || permission === 'notifications';
  }
}

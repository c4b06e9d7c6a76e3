import { isAppUrl } from './appScheme.ts';
import type { SessionPart, SystemPreferencesPart } from './electronParts.ts';

export interface GuardSessionOptions {
  platform: NodeJS.Platform;
  systemPreferences: SystemPreferencesPart;
  onError(error: unknown): void;
}

/**
 * Cancels every request that leaves the app. The page is granted the clipboard, the microphone and notifications, and no
 * other permission.
 */
export function guardSession(
  session: SessionPart,
  { platform, systemPreferences, onError }: GuardSessionOptions,
): void {
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    // A file that the page itself created for saving has its origin behind `blob:`.
    answer({ cancel: !isAppUrl(url.replace(/^blob:/, '')) && !/^(devtools|data):/.test(url) }),
  );
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, mediaTypes }) => {
    const granted = isGranted(permission, requestingUrl, mediaTypes);
    if (!granted || permission !== 'media' || platform !== 'darwin') return answer(granted);
    // Electron does not ask macOS itself: while the user's decision is missing, the microphone would deliver silence.
    systemPreferences.askForMediaAccess('microphone').then(answer, (error: unknown) => {
      answer(false);
      onError(error);
    });
  });
  session.setPermissionCheckHandler((_contents, permission, origin, { mediaType }) =>
    isGranted(permission, origin, mediaType === undefined ? undefined : [mediaType]),
  );
  session.setDevicePermissionHandler(() => false);
}

/** Monaco's own context menu pastes through `navigator.clipboard.readText()`, which needs `clipboard-read`. */
const grantedPermissions = new Set(['clipboard-read', 'clipboard-sanitized-write', 'notifications']);

/** Origins come with and without a trailing slash. `media` is granted for audio only. */
function isGranted(permission: string, from: string, media: readonly string[] | undefined): boolean {
  if (!isAppUrl(`${from}/`)) return false;
  if (permission === 'media') return media !== undefined && media.length > 0 && media.every((kind) => kind === 'audio');
  return grantedPermissions.has(permission);
}

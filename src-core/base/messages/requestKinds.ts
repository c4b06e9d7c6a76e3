import type { MessageCode } from './localize.ts';

/** Why a request cannot be fulfilled. The status of a response follows from it. */
export type RequestKind = (typeof requestKinds)[RequestCode];
/** The codes that a `RequestError` may have. */
export type RequestCode = keyof typeof requestKinds;

/**
 * The kind of each error of a request:
 * - `invalid`: the input is wrong
 * - `notFound`: what it names does not exist, or no longer
 * - `conflict`: the current state does not allow it
 * - `tooLarge`: the input exceeds a limit
 * - `tooMany`: so many exist or run already
 * - `unavailable`: a device, a model or the disk cannot be used now
 * - `cancelled`: the caller cancelled it
 */
export const requestKinds = {
  'calls.callRuns': 'conflict',
  'calls.noFileToReload': 'conflict',
  'calls.noRun': 'notFound',
  'calls.notInHistory': 'notFound',
  'calls.notWaiting': 'conflict',
  'calls.runExists': 'conflict',
  'calls.seriesRuns': 'conflict',
  'calls.tooManyRuns': 'tooMany',
  'chat.alwaysAsks': 'conflict',
  'chat.exchangeGone': 'notFound',
  'chat.full': 'tooMany',
  'chat.gone': 'notFound',
  'chat.importCancelled': 'cancelled',
  'chat.noMessage': 'notFound',
  'chat.noTool': 'notFound',
  'chat.notUsersMessage': 'invalid',
  'chat.notWaiting': 'conflict',
  'chat.tooLarge': 'tooLarge',
  'chat.turnEnded': 'conflict',
  'chat.turnRuns': 'conflict',
  'endpoint.badUrl': 'invalid',
  'endpoint.sameToken': 'conflict',
  'endpoint.tooMany': 'tooMany',
  'endpoint.unknown': 'notFound',
  'endpoint.unreadable': 'unavailable',
  'hosts.badConfig': 'conflict',
  'hosts.inlineTable': 'conflict',
  'hosts.notObject': 'conflict',
  'hosts.notTable': 'conflict',
  'hosts.otherTable': 'conflict',
  'hosts.aliasTaken': 'conflict',
  'hosts.badAlias': 'invalid',
  'hosts.badName': 'invalid',
  'hosts.nameTaken': 'conflict',
  'hosts.notWritable': 'invalid',
  'hosts.tooMany': 'tooMany',
  'hosts.sourceUnknown': 'notFound',
  'hosts.toolUnknown': 'notFound',
  'hosts.unknown': 'notFound',
  'servers.badIssuer': 'invalid',
  'servers.badMetadataUrl': 'invalid',
  'servers.badPath': 'invalid',
  'servers.appTooLarge': 'tooLarge',
  'servers.badRoot': 'invalid',
  'servers.badTemplate': 'invalid',
  'servers.badUrl': 'invalid',
  'servers.changedMeanwhile': 'conflict',
  'servers.noValue': 'conflict',
  'servers.noVariable': 'invalid',
  'servers.noApp': 'invalid',
  'servers.noAppOfCall': 'notFound',
  'servers.noReply': 'invalid',
  'conformance.running': 'conflict',
  'conformance.unknownScenario': 'conflict',
  'servers.notForApps': 'invalid',
  'servers.listUnreadable': 'conflict',
  'servers.requestFailed': 'unavailable',
  'servers.requestRefused': 'conflict',
  'servers.notReady': 'conflict',
  'servers.notWaiting': 'conflict',
  'servers.signInNeedsClient': 'invalid',
  'servers.signInNeedsSecret': 'invalid',
  'servers.toolNotOffered': 'invalid',
  'servers.tooMany': 'tooMany',
  'servers.tooManySubscriptions': 'tooMany',
  'servers.unknown': 'notFound',
  'signIn.bad-key': 'invalid',
  'servers.withheldFromApps': 'conflict',
  'workbench.closing': 'unavailable',
} as const satisfies Partial<
  Record<MessageCode, 'invalid' | 'notFound' | 'conflict' | 'tooLarge' | 'tooMany' | 'unavailable' | 'cancelled'>
>;

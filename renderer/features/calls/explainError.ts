import { formatLimit } from '../../../src-core/base/formatDuration.ts';
import type { ArgumentIssue, DoctorCause, ToolErrorInfo } from '../../../src-core/contract/types.ts';
import { wordError } from '../discovery/toolState.ts';
import { doctorAdvice } from '../devices/doctorAdvice.ts';
import { frameFaultCauses, isFrameFault } from '../devices/frameFaultCauses.ts';
import { formatBytes } from '../../ui/format/formatBytes.ts';
import { formatDuration } from '../../ui/format/formatDuration.ts';
import { shorten } from '../../ui/format/shorten.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { en } from '../../i18n/en/index.ts';
import { formatPast } from '../../i18n/formatAgo.ts';
import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import { language, t, type MessageKey, type Messages } from '../../i18n/index.ts';

/** An error explained in three parts. */
export interface Explanation {
  /** What happened, a few words. */
  what: string;
  /** Why it happened, with the names and figures of this call; empty if the engine knows no more. */
  why: string;
  /** The usual causes. */
  causes: string[];
  /** What to do next; empty for a code this window does not know. */
  next: string;
}

type Errors = Messages['errors'];
type KnownCode = keyof Errors['what'];

const isIn = <T extends object>(messages: T, code: string): code is Extract<keyof T, string> =>
  Object.hasOwn(messages, code);

const protocolCauses: MessageKey[] = ['executor.error.cause.version', 'executor.error.cause.changed'];

/**
 * Explains a tool error in the window's language, by its code. Device-specific explanations are used only for devices.
 * For an unknown code of a newer engine the engine's message is used. `linked`: the view has links to the nearest names, so the
 * sentence that lists them is left out.
 */
export function explainError(
  given: ToolErrorInfo,
  { fromDevice, linked }: { fromDevice: boolean; linked?: true },
): Explanation {
  const [bare = ''] = given.message.split(' Did you mean ');
  const error = linked && given.candidates?.length ? { ...given, message: bare } : given;
  const code: string = error.code;
  if (!isIn(en.errors.what, code)) return { what: wordEngine(error.message), why: '', causes: [], next: '' };
  const { device } = en.errors;
  // The tool was gone before the call was sent.
  const hasLeft =
    code === 'disconnected' && (error.details?.['leftMs'] !== undefined || leftKind(error.details) === 'module');
  const isUnset = lacksSecret(error.details);
  const isToolOnly = code === 'invalid-name' && error.details?.['toolId'] !== undefined;
  const what = fromDevice && isIn(device.what, code) ? t(`errors.device.what.${code}`) : t(`errors.what.${code}`);
  if (code === 'disconnected' && isLoss(error.details?.['lost'])) {
    const { lost } = error.details as { lost: keyof Errors['lost'] };
    return {
      what: t(`errors.lost.${lost}`),
      why: wordEngine(error.message),
      causes: [],
      next: t(lost === 'session' ? 'errors.newSession' : 'errors.startServer'),
    };
  }
  const node = error.details?.['node'];
  if (code === 'disconnected' && typeof node === 'string' && isIn(en.errors.node, node)) {
    const next = t(`errors.next.${node === 'lost' ? 'interrupted' : 'disconnected'}`);
    return { what: t(`errors.node.${node}`), why: wordEngine(error.message), causes: [], next };
  }
  const rpcCode = error.details?.['rpcCode'];
  if (code === 'tool-error' && rpcCode !== undefined) {
    const why = wordEngine(String(error.details?.['reason'] ?? error.message));
    return { what: t('errors.rpc', { code: String(rpcCode) }), why, causes: [], next: nextOf(error, code, fromDevice) };
  }
  // Of a module, so the arguments are not at fault.
  if (code === 'tool-error' && error.details?.['crashed'] === true)
    return { what: t('errors.crashed.what'), why: reasonOf(error), causes: [], next: t('errors.crashed.next') };
  return {
    what: hasLeft
      ? t(`errors.left.${leftKind(error.details)}`)
      : isUnset
        ? t('errors.noSecret')
        : isToolOnly
          ? t('errors.toolOnly')
          : code === 'protocol-error' && error.details?.['fault'] === 'cut'
            ? t('errors.device.cut')
            : what,
    why: reasonOf(error),
    causes: fromDevice ? causesOfError(error, code) : [],
    next: nextOf(error, code, fromDevice),
  };
}

const isLoss = (lost: unknown): boolean => typeof lost === 'string' && isIn(en.errors.lost, lost);

/** A failure in one line of a list: if the tool itself reports it, the beginning of its text. */
export function failureLine(error: ToolErrorInfo, { fromDevice }: { fromDevice: boolean }): string {
  if (error.code !== 'tool-error') return explainError(error, { fromDevice }).what;
  return visibleText(shorten(wordEngine(error.message), 200).replaceAll(/\s+/g, ' ').trim());
}

/** What a tool error's code says; the code itself if a newer engine has it. */
export function wordCode(code: string): string {
  return isIn(en.errors.what, code) ? t(`errors.what.${code}`) : code;
}

/** What a tool that was gone before the call belongs to. */
function leftKind(details: ToolErrorInfo['details']): keyof Errors['left'] {
  const kind = details?.['kind'];
  return typeof kind === 'string' && isIn(en.errors.left, kind) ? kind : 'device';
}

function nextOf({ details }: ToolErrorInfo, code: KnownCode, fromDevice: boolean): string {
  // The reason says it; and who refused a call knows how to approve it.
  if (lacksSecret(details) || settingOf(details) !== undefined || details?.['refusedBy'] === 'user') return '';
  if (isOfModule(details, code)) return t('errors.offerInModule');
  if (isCallingOff(details)) return t('errors.callingOff.next');
  const refused = notAllowed(details);
  if (refused !== undefined) return t(`errors.notAllowed.${refused}`);
  // Only user modules have a trace.
  if (details?.['trace'] !== undefined) return t('errors.thrownNext');
  const left = code === 'disconnected' ? leftKind(details) : undefined;
  if (left === 'mcp') return t('errors.startServer');
  if (left === 'module') return t('errors.moduleBack');
  // The message of the tool says what is wrong.
  if (code === 'tool-error') return '';
  if (!fromDevice) return t(`errors.next.${code}`);
  if (code === 'timeout' && isFrameFault(details?.['fault'])) return t('errors.device.unreadable');
  if (code === 'timeout' || code === 'disconnected') return doctorAdvice(diagnosisOf(details, code) ?? 'left').next;
  return t(`errors.next.${code}`);
}

/**
 * The diagnosis of a device that disconnected during a call or did not answer it, as shown on the device's card. Returns
 * `left` if an earlier version stored no cause.
 */
function diagnosisOf(details: ToolErrorInfo['details'], code: KnownCode): DoctorCause | undefined {
  if (code === 'timeout') return hasUnmatched(details) ? 'call-unmatched' : 'call-timeout';
  if (code !== 'disconnected' || details?.['leftMs'] !== undefined) return undefined;
  const cause = details?.['cause'] ?? 'left';
  return typeof cause === 'string' && isIn(en.devices.doctor.cause, cause) ? cause : undefined;
}

/** What an MCP server asked for during the call that is not allowed for it. */
export function notAllowed(details: ToolErrorInfo['details']): keyof Errors['notAllowed'] | undefined {
  const asked = details?.['notAllowed'];
  return typeof asked === 'string' && isIn(en.errors.notAllowed, asked) ? asked : undefined;
}

const settingRows = new Map<unknown, MessageKey>([
  ['directoryRoot', 'settings.root'],
  ['mcpMessageMib', 'settings.mcpMessage'],
]);

/** The row of the settings in which the user can change what the call failed at. */
export const settingOf = (details: ToolErrorInfo['details']): MessageKey | undefined =>
  settingRows.get(details?.['setting']);

/** Whether the call names a secret without a value. */
export const lacksSecret = (details: ToolErrorInfo['details']): boolean => details?.['secret'] !== undefined;

const isOfModule = (details: ToolErrorInfo['details'], code: KnownCode): boolean =>
  code === 'not-agent-callable' && details?.['kind'] === 'module';

const isCallingOff = (details: ToolErrorInfo['details']): boolean => details?.['calling'] === 'off';

function causesOfError({ details }: ToolErrorInfo, code: KnownCode): string[] {
  const fault = details?.['fault'];
  if (isFrameFault(fault)) return frameFaultCauses(fault);
  const diagnosis = diagnosisOf(details, code);
  if (diagnosis !== undefined) return doctorAdvice(diagnosis).causes;
  return code === 'protocol-error' ? protocolCauses.map((key) => t(key)) : [];
}

/** Whether frames came that match no request: one of them may be the answer. */
export const hasUnmatched = (details: ToolErrorInfo['details']): boolean => Number(details?.['unmatchedFrames']) > 0;

/** In the window's language if the code or the figures are sufficient, otherwise the engine's message. */
function reasonOf({ code, message, details, issues = [] }: ToolErrorInfo): string {
  if (code === 'unusable-method') return wordError(message);
  const facts = new Map(Object.entries(details ?? {}));
  const number = (key: string): number | undefined => {
    const value = facts.get(key);
    return typeof value === 'number' ? value : undefined;
  };
  const [timeoutMs, totalMs, bytes, limit, leftMs] = ['timeoutMs', 'totalMs', 'bytes', 'limit', 'leftMs'].map(number);
  const [device, description] = [facts.get('device'), facts.get('description')];
  if (code === 'disconnected' && typeof description === 'string') return wordEngine(description);
  if (code === 'disconnected' && typeof device === 'string' && leftMs !== undefined && facts.get('kind') !== 'module')
    return t('executor.error.text.left', { device, time: formatPast(leftMs) });
  if (code === 'timeout' && timeoutMs !== undefined) {
    const time = formatLimit(totalMs ?? timeoutMs);
    const progress = facts.get('progress');
    if (typeof progress === 'string')
      return t(`executor.error.text.${totalMs === undefined ? 'stalled' : 'total'}`, { time, progress });
    const n = number('unmatchedFrames') ?? 0;
    const why = wordEngine(String(facts.get('lastUnmatched')));
    if (n > 0) return t('executor.error.text.unmatched', { time, why }, n);
    const lastFrameMs = number('lastFrameMs');
    if (lastFrameMs !== undefined)
      return t('executor.error.text.lastFrame', { time, after: formatDuration(lastFrameMs) });
    return t(facts.has('lastFrameMs') ? 'executor.error.text.noFrame' : 'executor.error.text.timeout', { time });
  }
  if (code === 'result-too-large' && bytes !== undefined && limit !== undefined)
    return t('executor.error.text.tooLarge', { size: formatBytes(bytes), limit: formatBytes(limit) });
  if (code === 'cancelled' && facts.get('ran') === false) return t('errors.neverRan');
  if (isCallingOff(details)) return t('errors.callingOff.why');
  const unfit = language.value === 'en' ? undefined : /^The arguments do not fit (\S+)\. /.exec(message)?.[1];
  const [one] = issues;
  if (unfit !== undefined && issues.length === 1 && one !== undefined && isNamedApart(one))
    return t('errors.unfitOne', { name: unfit, parameter: one.parameter, issue: clauseOf(one) });
  if (unfit !== undefined) return t('errors.unfit', { name: unfit, issues: issues.map(issueOf).join('；') });
  return isIn(en.errors.why, code) ? t(`errors.why.${code}`) : wordEngine(message);
}

/** What is wrong with an argument as a clause that names it. */
function issueOf(issue: ArgumentIssue): string {
  return isNamedApart(issue) ? `“${issue.parameter}”：${clauseOf(issue)}` : clauseOf(issue);
}

/** Whether the message of an issue does not name the argument itself. */
function isNamedApart({ parameter, message }: ArgumentIssue): boolean {
  return parameter !== '' && !message.startsWith(`"${parameter}" `);
}

function clauseOf({ message }: ArgumentIssue): string {
  return wordEngine(message)
    .replace('。可改用', '，可改用')
    .replace(/[。.]$/, '');
}

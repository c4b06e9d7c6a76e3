import type { JsonObject } from '../../base/json.ts';
import { objectOf, textOf } from '../events/eventFields.ts';
import { realtimeLimits } from '../limits.ts';

/** What a server complains of. */
export interface ServerError {
  code: string;
  /** For the user: the code and the server's own words. */
  message: string;
  /** The event of ours that caused it. */
  eventId: string | undefined;
  param: string;
}

/** Reads an `error` event, or the error of a failed response or transcription. */
export function readServerError(event: JsonObject): ServerError {
  const error = objectOf(event, 'error');
  const code = textOf(error, 'code') ?? textOf(error, 'type') ?? '';
  const words = textOf(error, 'message') ?? 'The server stated no reason.';
  const message = (code === '' ? words : `${code}: ${words}`).slice(0, realtimeLimits.detailCharacters);
  return { code, message, eventId: textOf(error, 'event_id'), param: textOf(error, 'param') ?? '' };
}

/** The server has a response already and begins no other. */
export function isBusy({ code, message }: ServerError): boolean {
  return code === 'conversation_already_has_active_response' || /already has an? active response/i.test(message);
}

/** A response was to be cancelled and none was there. The second wording is Qwen's. */
export function hasNothingToCancel({ code, message }: ServerError): boolean {
  return code === 'response_cancel_not_active' || /ha(s|ve) (none|no) active response/i.test(message);
}

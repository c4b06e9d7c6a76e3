import { oneLine } from '../../base/hiddenCharacters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FrameNote } from '../frames/frameLog.ts';

const maxSummary = 120;
/** Tools of a registration that are named. */
const mostNames = 10;

/** What a message is about, in a line: its type and the one field that tells it from others of that type. */
export function describeMessage(body: JsonObject): FrameNote {
  const type = typeof body['type'] === 'string' ? line(body['type'], 48) : '';
  const callId = body['call_id'];
  const failed = type === 'error' || body['success'] === false;
  return {
    type: type === '' ? 'invalid' : type,
    summary: line(`${type} ${detailOf(type, body)}`, maxSummary),
    ...(typeof callId === 'string' && callId.length <= 128 && { callId }),
    ...(failed && { failed }),
  };
}

function detailOf(type: string, body: JsonObject): string {
  switch (type) {
    case 'text_input':
      return word(body['text']);
    case 'llm_response':
      return word(body['content']);
    case 'start_session':
      return word(body['session_id']);
    case 'register_tools':
      return namesOf(body['tools']);
    case 'tools_registered':
      return registered(body['count']);
    case 'status':
      return word(body['status']);
    case 'tool_call':
    case 'tool_callback':
      return word(body['tool_name']);
    case 'tool_result':
      return word(body['error']);
    case 'error':
      return `${word(body['code'])} ${word(body['message'])}`;
    case 'configure':
      return ['temperature', 'max_tokens', 'enable_context'].map((field) => setting(field, body[field])).join(' ');
    default:
      return '';
  }
}

function namesOf(tools: JsonValue | undefined): string {
  if (!Array.isArray(tools)) return '';
  const names = tools.slice(0, mostNames).map((tool) => (isJsonObject(tool) ? word(tool['name']) : ''));
  return [...names, ...(tools.length > mostNames ? ['…'] : [])].join(', ');
}

function registered(count: JsonValue | undefined): string {
  return typeof count === 'number' ? `${count} ${count === 1 ? 'tool' : 'tools'} registered` : '';
}

function setting(field: string, value: JsonValue | undefined): string {
  return typeof value === 'number' || typeof value === 'boolean' ? `${field}=${value}` : '';
}

function word(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.slice(0, 4 * maxSummary) : '';
}

function line(text: string, maxLength: number): string {
  const plain = oneLine(text.slice(0, 4 * maxSummary)).trim();
  const isCut = plain.length > maxLength || text.length > 4 * maxSummary;
  const short = (isCut ? `${plain.slice(0, maxLength - 1).trimEnd()}…` : plain).toWellFormed();
  // A copy: a slice would keep the whole text alive as long as the log keeps the line.
  return Buffer.from(short).toString();
}

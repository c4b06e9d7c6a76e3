import { boundedJson } from './boundedJson.ts';
import type { ChatStep } from '../../contract/chat.ts';

/** Characters of each body that are kept, and of the composed prompt. */
export const maxBodyLength = 1_000_000;
/** Behind JSON that is not whole. */
const notKept = '… (the rest was not kept)';

/** A step that is fit to be kept: what is longer than `most` characters is cut, and says so. */
export function boundStep<Step extends Pick<ChatStep, 'messages' | 'tools' | 'exchange'>>(
  step: Step,
  most = maxBodyLength,
): Step {
  const { messages, tools, exchange } = step;
  const prompt = boundedJson({ messages, tools }, most);
  const bounded = prompt.isWhole
    ? step
    : { ...step, messages: [{ role: 'system' as const, content: `${prompt.text}${notKept}` }], tools: [] };
  if (exchange === undefined) return bounded;
  const { request, response } = exchange;
  const body = boundedJson(request.body, most);
  return {
    ...bounded,
    exchange: {
      ...exchange,
      ...(!body.isWhole && { request: { ...request, body: `${body.text}${notKept}` } }),
      ...(response !== undefined && { response: { ...response, body: cutText(response.body, most) } }),
    },
  };
}

/** A text of at most so many characters, and how many are missing. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const rest = text.length - most;
  return `${text.slice(0, most).toWellFormed()}… (${rest.toLocaleString('en')} more characters were not kept)`;
}

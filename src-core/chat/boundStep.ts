import type { ChatStep } from './step.ts';

/** Characters of each body that are kept, and of the composed prompt. */
export const maxBodyLength = 1_000_000;

/** A step that is fit to be kept: what is longer than `most` characters is cut, and says by how much. */
export function boundStep<Step extends Pick<ChatStep, 'messages' | 'tools' | 'exchange'>>(
  step: Step,
  most = maxBodyLength,
): Step {
  const cut = (text: string): string => cutText(text, most);
  const { messages, tools, exchange } = step;
  const prompt = JSON.stringify({ messages, tools });
  const bounded =
    prompt.length <= most
      ? step
      : { ...step, messages: [{ role: 'system' as const, content: cut(prompt) }], tools: [] };
  if (exchange === undefined) return bounded;
  const { request, response } = exchange;
  const body = JSON.stringify(request.body);
  return {
    ...bounded,
    exchange: {
      ...exchange,
      ...(body.length > most && { request: { ...request, body: cut(body) } }),
      ...(response !== undefined && { response: { ...response, body: cut(response.body) } }),
    },
  };
}

function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const rest = text.length - most;
  return `${text.slice(0, most).toWellFormed()}… (${rest.toLocaleString('en')} more characters were not kept)`;
}

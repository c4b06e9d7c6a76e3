import type { ChatStep } from './step.ts';

/** Characters of each body that are kept, and of the composed prompt. */
export const maxBodyLength = 1_000_000;

/** A step that is fit to be kept: what is too long is cut, and says by how much. */
export function boundStep(step: ChatStep): ChatStep {
  const { messages, tools, exchange } = step;
  const prompt = JSON.stringify({ messages, tools });
  const bounded =
    prompt.length <= maxBodyLength
      ? step
      : { ...step, messages: [{ role: 'system' as const, content: cut(prompt) }], tools: [] };
  if (exchange === undefined) return bounded;
  const { request, response } = exchange;
  const body = JSON.stringify(request.body);
  return {
    ...bounded,
    exchange: {
      ...exchange,
      ...(body.length > maxBodyLength && { request: { ...request, body: cut(body) } }),
      ...(response !== undefined && { response: { ...response, body: cut(response.body) } }),
    },
  };
}

function cut(text: string): string {
  if (text.length <= maxBodyLength) return text;
  const rest = text.length - maxBodyLength;
  return `${text.slice(0, maxBodyLength).toWellFormed()}… (${rest.toLocaleString('en')} more characters were not kept)`;
}

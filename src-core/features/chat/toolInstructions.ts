/** The introduction of a VCP prompt; JSON definitions contain their own (docs/protocols/vcp.md#prompts-and-results). */
const vcp = `You can call the tools that are defined below. To call one, write a request block as its example shows: each value between 「始」 and 「末」, or between 「始ESCAPE」 and 「末ESCAPE」 if the value itself contains these markers. Put no block into a code fence or into your reasoning, and where you need several calls, write several blocks. Then end your reply: the results come back in <<<[TOOL_RESULT]>>> blocks, in the order of the calls. The request_id of a result is that of its call; if the call has none, it ends with the number of the block in your reply.`;

/** The text that offers tools and describes how to call them; empty if none are offered. */
export function toolInstructions(definitions: string, protocol: 'vcp' | 'json'): string {
  return definitions === '' || protocol === 'json' ? definitions : `${vcp}\n\n${definitions}`;
}

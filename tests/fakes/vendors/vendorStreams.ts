/**
 * How each vendor's server lists its models and streams two calls, `get_weather {"city":"北京"}` and `get_time {}`, as its
 * pages and its bug reports show it. Written by hand: what is peculiar is kept, the rest is short.
 */
export interface VendorStream {
  /** What makes it peculiar. */
  name: string;
  models: object;
  /** Lines of the stream, without their line ends; empty ones divide events. */
  lines: string[];
  reasoning?: string;
  usage?: { inputTokens: number; outputTokens: number };
}

const list = (...ids: string[]): object => ({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });
const chunk = (more: object): string[] => [
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...more })}`,
  '',
];
const delta = (value: object, finish: string | null = null): string[] =>
  chunk({ choices: [{ index: 0, delta: value, logprobs: null, finish_reason: finish }] });
const call = (value: object): string[] => delta({ tool_calls: [value] });
const done = ['data: [DONE]', ''];
const weather = { type: 'function', function: { name: 'get_weather', arguments: '' } };
const time = { type: 'function', function: { name: 'get_time', arguments: '' } };
const wholeWeather = { type: 'function', function: { name: 'get_weather', arguments: '{"city":"北京"}' } };
const wholeTime = { type: 'function', function: { name: 'get_time', arguments: '{}' } };
const more = (index: number, text: string, rest: object = {}): string[] =>
  call({ index, ...rest, function: { arguments: text } });
const counts = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 };
const usage = { inputTokens: 20, outputTokens: 9 };

/** By the id of the preset. */
export const vendorStreams: Record<string, VendorStream[]> = {
  openai: [
    {
      name: 'an index and an id each, arguments in pieces, padding, usage last',
      models: list('gpt-5-mini'),
      usage,
      lines: [
        ...delta({ role: 'assistant', content: null, refusal: null }),
        ...call({ index: 0, id: 'call_a', ...weather }),
        ...more(0, '{"ci'),
        ...more(0, 'ty":"北京"}'),
        ...call({ index: 1, id: 'call_b', ...time }),
        ...more(1, '{}'),
        ...delta({}, 'tool_calls'),
        ...chunk({ choices: [], usage: counts, obfuscation: 'x1y2', service_tier: 'default' }),
        ...done,
      ],
    },
  ],
  deepseek: [
    {
      name: 'keep-alive comments before the first event, reasoning, usage beside the last choice',
      models: list('deepseek-flash', 'deepseek-pro'),
      usage,
      reasoning: '先查天气。',
      lines: [
        ...[': keep-alive', '', ': keep-alive', ''],
        ...delta({ role: 'assistant', content: null, reasoning_content: '' }),
        ...delta({ content: null, reasoning_content: '先查' }),
        ...delta({ content: null, reasoning_content: '天气。' }),
        ...call({ index: 0, id: 'call_0_5f7e', ...weather }),
        ...more(0, '{"city":"北京"}'),
        ...call({ index: 1, id: 'call_1_9c2d', ...time }),
        ...more(1, '{}'),
        ...chunk({
          choices: [{ index: 0, delta: { content: '', reasoning_content: null }, finish_reason: 'tool_calls' }],
          usage: { ...counts, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 20 },
        }),
        ...done,
      ],
    },
  ],
  dashscope: [
    {
      name: 'every piece with an empty id and null usage, a last one without arguments',
      models: list('qwen-plus', 'qwen-max'),
      usage,
      lines: [
        ...chunk({
          choices: [{ index: 0, delta: { role: 'assistant', content: null, tool_calls: null }, finish_reason: null }],
          usage: null,
        }),
        ...call({
          index: 0,
          id: 'call_a1',
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":' },
        }),
        ...more(0, '"北京"}', { id: '', type: 'function' }),
        ...call({ index: 0, id: '', type: 'function', function: {} }),
        ...call({ index: 1, id: 'call_b2', ...time }),
        ...more(1, '{}', { id: '', type: 'function' }),
        ...delta({ content: '' }, 'tool_calls'),
        ...chunk({ choices: [], usage: counts }),
        ...done,
      ],
    },
    {
      name: 'the name in one piece without arguments, the id again with them (thinking models)',
      models: list('qwen3-vl-thinking'),
      reasoning: '查一下。',
      lines: [
        ...delta({ role: 'assistant', content: null, reasoning_content: '查一下。' }),
        ...call({ index: 0, id: 'call_a1', type: 'function', function: { name: 'get_weather' } }),
        ...more(0, '{"city":"北京"}', { id: 'call_a1', type: 'function' }),
        ...call({ index: 1, id: 'call_b2', type: 'function', function: { name: 'get_time' } }),
        ...more(1, '{}', { id: 'call_b2', type: 'function' }),
        ...delta({ content: '' }, 'tool_calls'),
        ...done,
      ],
    },
  ],
  ollama: [
    {
      name: 'each call whole, all of index 0, "reasoning", finish reason "tool_calls" with an empty text',
      models: list('qwen3:8b'),
      reasoning: 'Both at once.',
      usage,
      lines: [
        ...delta({ role: 'assistant', content: '', reasoning: 'Both at once.' }),
        ...delta({ role: 'assistant', content: '', tool_calls: [{ id: 'call_a', index: 0, ...wholeWeather }] }),
        ...delta({ role: 'assistant', content: '', tool_calls: [{ id: 'call_b', index: 0, ...wholeTime }] }),
        ...delta({ role: 'assistant', content: '' }, 'tool_calls'),
        ...chunk({ choices: [], usage: counts, system_fingerprint: 'fp_ollama' }),
        ...done,
      ],
    },
    {
      name: 'no index at all, "stop" beside calls (before 0.5)',
      models: list('llama3.1:8b'),
      lines: [
        ...delta({ role: 'assistant', content: '', tool_calls: [{ id: 'call_a', ...wholeWeather }] }),
        ...delta({ role: 'assistant', content: '', tool_calls: [{ id: 'call_b', ...wholeTime }] }),
        ...delta({ role: 'assistant', content: '' }, 'stop'),
        ...done,
      ],
    },
  ],
  vllm: [
    {
      name: '"reasoning", an empty list of calls, ids of its own',
      models: list('Qwen/Qwen3-30B-A3B'),
      reasoning: 'Let me see.',
      usage,
      lines: [
        ...delta({ role: 'assistant', content: '', tool_calls: [] }),
        ...delta({ reasoning: 'Let me ' }),
        ...delta({ reasoning: 'see.' }),
        ...call({ index: 0, id: 'chatcmpl-tool-1a', ...weather }),
        ...more(0, '{"city":"'),
        ...more(0, '北京"}'),
        ...call({ index: 1, id: 'chatcmpl-tool-2b', ...time }),
        ...more(1, '{}'),
        ...delta({ content: '' }, 'tool_calls'),
        ...chunk({ choices: [], usage: counts }),
        ...done,
      ],
    },
    {
      name: '"reasoning_content", as before 0.19',
      models: list('deepseek-r1'),
      reasoning: 'Let me see.',
      lines: [
        ...delta({ role: 'assistant', content: '' }),
        ...delta({ reasoning_content: 'Let me see.' }),
        ...call({ index: 0, id: 'chatcmpl-tool-1a', ...wholeWeather }),
        ...call({ index: 1, id: 'chatcmpl-tool-2b', ...wholeTime }),
        ...delta({}, 'tool_calls'),
        ...done,
      ],
    },
  ],
  llamacpp: [
    {
      name: 'no ids, and a list of models in two forms at once',
      models: { models: [{ name: 'qwen3.gguf', model: 'qwen3.gguf' }], ...list('qwen3.gguf') },
      lines: [
        ...delta({ role: 'assistant', content: null }),
        ...call({ index: 0, ...weather }),
        ...more(0, '{"city":'),
        ...more(0, '"北京"}'),
        ...call({ index: 1, ...time }),
        ...more(1, '{}'),
        ...chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], timings: { predicted_n: 9 } }),
        ...done,
      ],
    },
    {
      name: 'the name again in every piece, the id inside "function" (May 2025)',
      models: list('qwen3.gguf'),
      lines: [
        ...delta({ role: 'assistant', content: null }),
        ...call({ index: 0, function: { id: 'a', name: 'get_weather', arguments: '{"city":' } }),
        ...call({ index: 0, function: { id: 'a', name: 'get_weather', arguments: '"北京"}' } }),
        ...call({ index: 1, function: { id: 'b', name: 'get_time', arguments: '{}' } }),
        ...delta({}, 'tool_calls'),
        ...done,
      ],
    },
  ],
  lmstudio: [
    {
      name: 'numbers for ids, what is not asked for sent as null, lines that end in CR LF',
      models: list('openai/gpt-oss-20b', 'text-embedding-nomic'),
      usage,
      lines: [
        ...call({ index: 0, id: '365174485', ...weather }),
        ...more(0, '{"city":"', { id: null, type: null }),
        ...more(0, '北京"}', { id: null, type: null }),
        ...call({ index: 1, id: '365174486', ...time }),
        ...more(1, '{}', { id: null, type: null }),
        ...delta({}, 'tool_calls'),
        ...chunk({ choices: [], usage: counts }),
        ...done,
      ].map((line) => `${line}\r`),
    },
  ],
};

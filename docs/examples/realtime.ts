/**
 * A realtime model that calls a tool: what you type goes to it, what it says comes back in sentences.
 *
 *     npx node docs/examples/realtime.ts
 *
 * The model is the scripted server, which needs no network. With OPENAI_API_KEY it is OpenAI's, with DASHSCOPE_API_KEY
 * Qwen-Omni; REALTIME_URL and REALTIME_MODEL are another address and another model.
 */
import { createInterface } from 'node:readline';

// In a project of your own: from 'toolwire/realtime'.
import {
  createRealtimeProvider,
  RealtimeStation,
  SentenceAggregatorStation,
  startScriptedRealtimeServer,
  TextChunk,
} from '../../src-core/realtime.ts';
import type { AnyChunk, RealtimeProfile, ToolDefinition } from '../../src-core/realtime.ts';

const getWeather: ToolDefinition = {
  name: 'get_weather',
  description: 'Get weather for a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const scripted = await startScriptedRealtimeServer({
  dialect: 'openai',
  paceMs: 0,
  script: {
    turns: [
      {
        say: 'One moment.',
        calls: [{ name: 'get_weather', arguments: { city: 'Kyiv' } }],
        then: 'It is {{output}} there.',
      },
    ],
  },
});

const { OPENAI_API_KEY, DASHSCOPE_API_KEY, REALTIME_URL, REALTIME_MODEL } = process.env;
const profile: RealtimeProfile = {
  id: 'example',
  label: 'Example',
  dialect: 'openai',
  model: 'scripted',
  url: scripted.url,
};
if (OPENAI_API_KEY !== undefined)
  Object.assign(profile, { model: 'gpt-realtime', url: 'wss://api.openai.com/v1/realtime' });
else if (DASHSCOPE_API_KEY !== undefined)
  Object.assign(profile, {
    dialect: 'qwen',
    model: 'qwen3.5-omni-plus-realtime',
    url: 'wss://dashscope-intl.aliyuncs.com/api-ws/v1/realtime',
  });
profile.url = REALTIME_URL ?? profile.url;
profile.model = REALTIME_MODEL ?? profile.model;

const provider = createRealtimeProvider(profile, { key: OPENAI_API_KEY ?? DASHSCOPE_API_KEY });
const station = new RealtimeStation({
  provider,
  // Plan A: the station has calls run. Here goes the engine's executor, with its checks, its time limit and its history.
  execute: ({ arguments: { city } }) => Promise.resolve({ status: 'success', result: `sunny in ${String(city)}` }),
});
const sentences = new SentenceAggregatorStation();
station.onChunk((chunk) => void sentences.process(chunk));
sentences.onChunk(show);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function show(chunk: AnyChunk): void {
  if (chunk.type === 'text') say(`${chunk.source}: ${chunk.data}`);
  if (chunk.type === 'tool.call') say(`${chunk.toolName}(${JSON.stringify(chunk.arguments)})`);
  if (chunk.type === 'event.error') process.stderr.write(`${chunk.detail ?? ''}\n`);
}

const { droppedTools } = await station.open({ instructions: 'Be brief.', tools: [getWeather] });
say(`Talking to ${profile.model}${droppedTools.length === 0 ? '' : `, which takes no ${droppedTools.join(', ')}`}.`);

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') await station.process(new TextChunk({ data: line, source: 'user' }));
}
await station.close();
await scripted.close();

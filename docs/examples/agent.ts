/**
 * Agents with the tools of their devices: the example of seed 000 §7. Each device that connects gets an agent, with local
 * tools at once and the device's own as soon as it has listed them. What you type goes to all of them.
 *
 *     OPENAI_API_KEY=… npx node docs/examples/agent.ts
 *     npx toolwire device --url http://127.0.0.1:4311/xiaozhi/ota/
 *
 * OPENAI_BASE_URL is another server that speaks its protocol, OPENAI_MODEL its model, PORT ours.
 */
import * as agents from '@openai/agents';
import { OpenAI } from 'openai';
import { createInterface } from 'node:readline';

// In a project of your own: from 'toolwire/converters'.
import {
  BUILTIN_LOCAL_TOOLS,
  createDeviceHub,
  createListener,
  createToolRegistryManager,
  followDeviceTools,
  functionToToolDefinition,
  OpenAIAgentProvider,
  OpenAIAgentToolConverter,
} from '../../src-core/converters.ts';
import type { DeviceHub } from '../../src-core/converters.ts';

async function getWeather(city: string): Promise<string> {
  return Promise.resolve(`${city}: Sunny, 25°C`);
}

/** A local tool: the function, and what is not left of it while the program runs. */
const weatherTool = functionToToolDefinition(getWeather, {
  name: 'get_weather',
  description: 'Get weather for a city',
  parameters: { city: { type: 'string' } },
});

async function createAgent(devices: DeviceHub, deviceId: string): Promise<OpenAIAgentProvider> {
  // 1. The converter, one for each agent: it holds the agent's tool names.
  const converter = new OpenAIAgentToolConverter({ agents });

  // 2. Local tools, built-in and our own: they are there at once.
  const localTools = converter.convertLocalTools([...BUILTIN_LOCAL_TOOLS, weatherTool]);

  // 3. The agent, with local tools only: the device's are not ready yet.
  const provider = new OpenAIAgentProvider({
    agents,
    model: process.env['OPENAI_MODEL'] ?? 'gpt-4.1',
    modelProvider: new agents.OpenAIProvider({ openAIClient: new OpenAI(), useResponses: false }),
  });
  await provider.initialize({ tools: localTools, systemPrompt: 'You are a helpful assistant.' });

  // 4. The device's tools, whenever it has listed them.
  followDeviceTools({ devices, deviceId, converter, provider });
  return provider;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const listener = createListener({
  port: Number(process.env['PORT'] ?? 4311),
  onError: (error) => print(String(error)),
});
const hub = createDeviceHub({ listener, toolRegistryManager: createToolRegistryManager() });
const agentsOf = new Map<string, Promise<OpenAIAgentProvider>>();
const ready = new Set<string>();

hub.onChange((id) => {
  if (!agentsOf.has(id)) agentsOf.set(id, createAgent(hub, id));
  const device = hub.device(id);
  if (device?.state !== 'ready') return void ready.delete(id);
  if (!ready.has(id)) print(`${device.name} is here with ${device.toolCount} tools.`);
  ready.add(id);
});

const { port } = await listener.listen();
print(`Devices connect to http://127.0.0.1:${port}/xiaozhi/ota/`);

const input = createInterface({ input: process.stdin });
for await (const line of input) {
  for (const [id, agent] of agentsOf) {
    try {
      print(`${hub.device(id)?.name ?? id}: ${await (await agent).chat(line)}`);
    } catch (error) {
      print(`${id}: ${String(error)}`);
    }
  }
}
await hub.close();
await listener.close();

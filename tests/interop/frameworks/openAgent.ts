import { onTestFinished } from 'vitest';

import { followDeviceTools } from '../../../src-core/converters.ts';
import type { ConverterExecution } from '../../../src-core/converters.ts';
import { openHub } from '../../core/features/devices/support/openHub.ts';
import type { OpenHub } from '../../core/features/devices/support/openHub.ts';
import { startScriptedChatServer } from '../../fakes/scriptedChatServer.ts';
import type {
  ChatServerRequest,
  ScriptedChatServer,
  ScriptedChatServerOptions,
} from '../../fakes/scriptedChatServer.ts';
import type { FrameworkAgent, FrameworkBed } from './beds.ts';

export const deviceId = '02:00:00:aa:bb:cc';

export interface OpenAgent extends FrameworkAgent, OpenHub {
  server: ScriptedChatServer;
}

/** An agent on a model server that says what a test says, and a hub whose device `deviceId` it follows. */
export async function openAgent(
  bed: FrameworkBed,
  turns: ScriptedChatServerOptions['turns'],
  { execution, maxTurns }: { execution?: ConverterExecution; maxTurns?: number } = {},
): Promise<OpenAgent> {
  const server = await startScriptedChatServer({ turns });
  onTestFinished(() => server.close());
  const hub = await openHub();
  const agent = bed.open({ baseUrl: server.baseUrl, execution, maxTurns });
  await agent.provider.initialize({ tools: agent.converter.convertLocalTools([]), systemPrompt: 'Be brief.' });
  onTestFinished(followDeviceTools({ ...agent, devices: hub.hub, deviceId }));
  return { ...hub, ...agent, server };
}

/** The names that a request offers. */
export function offered({ body }: ChatServerRequest): string[] {
  return (body.tools ?? []).map((tool) => tool.function.name).sort();
}

/** The answers of tools in a request, each as one text or as it came. */
export function answers({ body }: ChatServerRequest): unknown[] {
  return body.messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
}

function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const parts = content as { type: string; text?: string }[];
  return parts.every(({ type }) => type === 'text') ? parts.map(({ text }) => text).join('') : parts;
}

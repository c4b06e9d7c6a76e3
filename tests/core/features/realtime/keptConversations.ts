/** What tests of kept conversations share. */
import { expect } from 'vitest';

import { ended, updatesOnce, wholeConversation, type WholeConversation } from './support.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';

/** The script of a model that calls a tool. */
export const asksForTheTime = {
  turns: [{ say: 'Let me look.', calls: [{ name: 'get_time' }], then: 'It is late.' }],
};

/** A conversation in which a tool is called, and that has ended. */
export async function talk(workbench: Workbench): Promise<{ id: string; update: WholeConversation }> {
  const { realtime } = workbench.services;
  const { sessionId: id } = await realtime.open({ instructions: 'Be brief.' });
  await realtime.sendText({ id, text: 'What time is it?' });
  const { session } = await updatesOnce(workbench, id, ended(2));
  expect(session.counts.calls).toBe(1);
  await realtime.close({ id });
  return { id, update: await wholeConversation(workbench, { id }) };
}

/** The whole file of a conversation or capture. */
export async function exportOf(
  { services: { captures } }: Workbench,
  source: { conversationId: string } | { captureId: string },
) {
  let text = '';
  let after: number | undefined;
  for (;;) {
    const part = await captures.exportPart({ ...source, after });
    text += part.text;
    if (part.next === undefined) return { fileName: part.fileName, text };
    after = part.next;
  }
}

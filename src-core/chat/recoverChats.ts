import { closeEntry } from './closeEntry.ts';
import type { ChatEnvironment } from './environment.ts';

/** Closes what a process that ended left half-way: its turns show as interrupted, and none of their calls dangles. */
export function recoverChats({ book, newId, now }: Pick<ChatEnvironment, 'book' | 'newId' | 'now'>): void {
  for (const { id, running, options } of book.list()) {
    if (!running) continue;
    const [last] = book.page(id, { limit: 1 });
    book.together(() => {
      if (last?.role === 'assistant') {
        closeEntry(last, { why: 'Toolwire ended before this call had a result.', because: 'interrupted' });
        last.stoppedBecause ??= 'interrupted';
        book.save(id, last);
      } else if (last !== undefined) {
        const { modelId, protocol } = options;
        book.append(id, {
          ...{
            id: newId(),
            role: 'assistant',
            createdAt: now(),
            step: 1,
            state: 'ended',
            stoppedBecause: 'interrupted',
          },
          ...{ modelId, modelName: modelId, protocol, text: '', calls: [], replyTokens: 0 },
          promptTokens: { system: 0, tools: 0, history: 0, message: 0, total: 0 },
        });
      }
      book.change(id, { running: false });
    });
  }
}

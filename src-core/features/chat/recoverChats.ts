import { closeEntry } from './closeEntry.ts';
import type { ChatEnvironment } from './environment.ts';

/**
 * Closes turns that ended without being written: by a process that ended, or on a disk that was full. They show as
 * interrupted, and each of their calls has a result. Returns true.
 */
export function recoverChats(
  { book, newId, now }: Pick<ChatEnvironment, 'book' | 'newId' | 'now'>,
  isUnderWay: (sessionId: string) => boolean,
): true {
  for (const { id, running, options } of book.list()) {
    if (!running || isUnderWay(id)) continue;
    const [last] = book.page(id, { limit: 1 });
    book.together(() => {
      if (last?.role === 'assistant') {
        closeEntry(last, { why: 'Toolwire ended before this call had a result.', because: 'interrupted' });
        last.stoppedBecause ??= 'interrupted';
        book.save(id, last);
      } else if (last !== undefined) {
        const { modelId, protocol } = options;
        book.append(id, {
          id: newId(),
          role: 'assistant',
          createdAt: now(),
          step: 1,
          state: 'ended',
          stoppedBecause: 'interrupted',
          modelId,
          modelName: modelId,
          protocol,
          text: '',
          calls: [],
          replyTokens: 0,
          promptTokens: { system: 0, tools: 0, history: 0, message: 0, total: 0 },
        });
      }
      book.change(id, { running: false });
    });
  }
  return true;
}

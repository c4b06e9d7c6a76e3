import { parseArgsJson } from '../tools/parseArgsJson.ts';
import { chatFileFormat, chatFileVersion } from './chatFile.ts';
import { closeEntry } from './closeEntry.ts';
import type { ChatCall, ChatEntry } from './entries.ts';
import type { ChatSession } from './session.ts';

/**
 * A chat as a file (docs/chat.md): JSON, for people and for `importChat`. What is only here stays here: raw exchanges, and
 * which methods a person approved. A turn under way is closed in the file, not in the chat.
 */
export function exportChat(options: { session: ChatSession; entries: readonly ChatEntry[]; now: number }): string {
  const { session, entries, now } = options;
  const file = {
    format: chatFileFormat,
    version: chatFileVersion,
    exportedAt: new Date(now).toISOString(),
    title: session.title,
    options: session.options,
    entries: entries.map(fileEntry),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

function fileEntry(entry: ChatEntry): object {
  const copy = structuredClone(entry);
  if (copy.role === 'assistant') {
    closeEntry(copy, { why: 'The chat was exported before this call had a result.', because: 'exported' });
    delete copy.stepId;
  }
  const kept: Partial<ChatEntry> = copy;
  delete kept.position;
  delete kept.revision;
  return copy.role === 'assistant' ? { ...kept, calls: copy.calls.map(fileCall) } : kept;
}

/** A file is for people: arguments are JSON in it, not text. */
function fileCall({ askedArgsJson, argsJson, ...call }: ChatCall): object {
  return { ...call, askedArgs: parseArgsJson(askedArgsJson), args: parseArgsJson(argsJson) };
}

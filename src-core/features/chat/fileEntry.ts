import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import { closeEntry } from './closeEntry.ts';
import type { ChatCall, ChatEntry } from './entries.ts';

/** An entry as it is in a file; a turn under way is closed in it. Changes `entry`. */
export function fileEntry(entry: ChatEntry): object {
  if (entry.role === 'assistant') {
    closeEntry(entry, { why: 'The chat was exported before this call had a result.', because: 'exported' });
    delete entry.stepId;
  }
  const kept: Partial<ChatEntry> = entry;
  delete kept.position;
  delete kept.revision;
  return entry.role === 'assistant' ? { ...kept, calls: entry.calls.map(fileCall) } : kept;
}

/** A file is for people: arguments are JSON in it, not text. */
function fileCall({ askedArgsJson, argsJson, ...call }: ChatCall): object {
  return { ...call, askedArgs: parseArgsJson(askedArgsJson), args: parseArgsJson(argsJson) };
}

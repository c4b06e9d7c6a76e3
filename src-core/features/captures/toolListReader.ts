import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { defaultDeviceLimits } from '../devices/limits.ts';
import { readTool } from '../devices/session/readTool.ts';
import type { CaptureFrame } from './captureFrame.ts';
import { mcpPayload } from './mcpPayload.ts';

const { maxTools, maxListChars } = defaultDeviceLimits;

/** Finds the tools in the tools/list answers of a log, frame by frame: all pages of the last whole list. */
export class ToolListReader {
  #whole: JsonObject[] | undefined;
  #list: { tools: Map<string, JsonObject>; chars: number } = { tools: new Map(), chars: 0 };
  /** The request that waits: the device is asked page by page. */
  #asked: { rpcId: number; isFirst: boolean } | undefined;

  /** As the device listed them; if no list was complete, the received part of the last one. */
  get tools(): JsonObject[] {
    return this.#whole ?? [...this.#list.tools.values()];
  }

  add(frame: CaptureFrame): void {
    const { method, role, rpcId } = frame;
    if (method !== 'tools/list' || rpcId === undefined) return;
    const payload = mcpPayload(frame);
    if (role === 'request' && frame.direction === 'out') {
      const params = payload?.['params'];
      const cursor = isJsonObject(params) ? params['cursor'] : undefined;
      this.#asked = { rpcId, isFirst: cursor === undefined || cursor === '' };
    } else if (role === 'answer' && rpcId === this.#asked?.rpcId) {
      const { isFirst } = this.#asked;
      this.#asked = undefined;
      const result = payload?.['result'];
      if (isJsonObject(result)) this.#addPage(result, isFirst, frame.text?.length ?? 0);
    }
  }

  #addPage({ tools, nextCursor }: JsonObject, isFirst: boolean, chars: number): void {
    if (!Array.isArray(tools)) return;
    if (isFirst) this.#list = { tools: new Map(), chars: 0 };
    const list = this.#list;
    list.chars += chars;
    for (const entry of tools) {
      const tool = readTool(entry);
      const fits = list.tools.size < maxTools && list.chars <= maxListChars;
      if (fits && isJsonObject(entry) && typeof tool !== 'string' && !list.tools.has(tool.name))
        list.tools.set(tool.name, entry);
    }
    if (nextCursor === undefined || nextCursor === '') this.#whole = [...list.tools.values()];
  }
}

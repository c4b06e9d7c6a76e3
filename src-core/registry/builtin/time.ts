import { defineToolRegistry } from '../defineTool.ts';
import type { JsonSchema } from '../../base/json.ts';
import type { ToolRegistry } from '../types.ts';

const noParameters: JsonSchema = { type: 'object', properties: {} };

/** The clock: `get_time` and `get_date`, in the computer's own time zone. */
export function createTimeTool({ now = () => new Date() }: { now?: () => Date } = {}): ToolRegistry {
  return defineToolRegistry({
    id: 'clock',
    name: 'Clock',
    description: 'The date and time of this computer.',
    source: { kind: 'builtin', id: 'clock', label: 'Clock' },
    methods: [
      {
        name: 'get_time',
        description: 'Get the current local date and time, as 2026-01-31 08:30:00.',
        agentCallable: true,
        inputSchema: noParameters,
        handler: () => {
          const date = now();
          return `${toDate(date)} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':')}`;
        },
      },
      {
        name: 'get_date',
        description: 'Get the current local date, as 2026-01-31.',
        agentCallable: true,
        inputSchema: noParameters,
        handler: () => toDate(now()),
      },
    ],
  });
}

function toDate(date: Date): string {
  return [String(date.getFullYear()).padStart(4, '0'), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}

import type { RealtimePreset } from '../../api/types/realtime.ts';

/** What a new profile of each dialect starts with (spec/realtime.md, wire facts). Other servers take other names. */
export const realtimePresets: readonly RealtimePreset[] = Object.freeze([
  {
    dialect: 'openai',
    label: 'OpenAI Realtime',
    url: 'wss://api.openai.com/v1/realtime',
    model: 'gpt-realtime',
    voices: ['marin', 'cedar', 'alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse'],
  },
  {
    dialect: 'openai-beta',
    label: 'OpenAI Realtime (beta events)',
    url: 'wss://api.openai.com/v1/realtime',
    model: 'gpt-4o-realtime-preview',
    voices: ['alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse'],
  },
  {
    dialect: 'qwen',
    label: 'Qwen-Omni-Realtime',
    url: 'wss://dashscope.aliyuncs.com/api-ws/v1/realtime',
    model: 'qwen3.5-omni-plus-realtime',
    voices: ['Cherry', 'Serena', 'Ethan', 'Chelsie'],
  },
] satisfies RealtimePreset[]);

import type { RealtimePreset } from '../../contract/types/realtime.ts';

/** What a new profile starts with, by server; the first of a dialect is its own vendor's. */
export const realtimePresets: readonly RealtimePreset[] = Object.freeze([
  {
    dialect: 'openai',
    label: 'OpenAI Realtime',
    url: 'wss://api.openai.com/v1/realtime',
    model: 'gpt-realtime-2.1',
    models: ['gpt-realtime-2.1', 'gpt-realtime-2.1-mini', 'gpt-realtime-2', 'gpt-realtime-1.5'],
    voices: ['marin', 'cedar', 'alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse'],
  },
  {
    dialect: 'openai',
    label: 'Azure OpenAI',
    url: 'wss://YOUR-RESOURCE.openai.azure.com/openai/v1/realtime',
    // The name of the deployment.
    model: 'gpt-realtime',
    differences: { headers: { Authorization: null, 'api-key': '{key}' } },
    models: [],
    voices: [],
  },
  {
    dialect: 'openai-beta',
    // OpenAI itself has not served them since May 2026.
    label: 'Other server with OpenAI’s beta events',
    url: 'ws://127.0.0.1:8000/v1/realtime',
    model: 'realtime',
    models: [],
    voices: ['alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse'],
  },
  {
    dialect: 'openai-beta',
    label: 'StepFun',
    url: 'wss://api.stepfun.com/v1/realtime',
    model: 'step-audio-2',
    differences: { tools: 'nested' },
    models: ['step-audio-2', 'step-audio-2-mini'],
    voices: [],
  },
  {
    dialect: 'qwen',
    label: 'Qwen-Omni-Realtime',
    url: 'wss://dashscope.aliyuncs.com/api-ws/v1/realtime',
    model: 'qwen3.5-omni-plus-realtime',
    models: ['qwen3.5-omni-plus-realtime', 'qwen3.5-omni-flash-realtime'],
    voices: ['Cherry', 'Serena', 'Ethan', 'Chelsie'],
  },
] satisfies RealtimePreset[]);

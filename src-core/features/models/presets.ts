import type { ModelPreset } from '../../contract/modelInfo.ts';

/**
 * Addresses from the vendors' documentation (OpenAI, DeepSeek, Alibaba Cloud Model Studio for China, Ollama, vLLM,
 * llama.cpp, LM Studio), local servers on their default ports. They use 127.0.0.1 rather than `localhost`, which is
 * tried on IPv6 first: these servers do not listen there.
 */
export const modelPresets: readonly ModelPreset[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    modelHint: 'gpt-5-mini',
    maxTokensField: 'max_completion_tokens',
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    needsKey: true,
    modelHint: 'deepseek-flash',
  },
  {
    id: 'dashscope',
    label: 'DashScope (Qwen)',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    needsKey: true,
    modelHint: 'qwen-plus',
  },
  { id: 'ollama', label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false, modelHint: 'qwen3' },
  { id: 'vllm', label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', needsKey: false, modelHint: '' },
  { id: 'llamacpp', label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', needsKey: false, modelHint: '' },
  { id: 'lmstudio', label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', needsKey: false, modelHint: '' },
  { id: 'custom', label: 'OpenAI-compatible', baseUrl: '', needsKey: false, modelHint: '' },
];

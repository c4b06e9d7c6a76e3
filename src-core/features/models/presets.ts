/** A kind of model server that people have, with what is known of it. */
export interface ModelPreset {
  id: 'openai' | 'deepseek' | 'dashscope' | 'ollama' | 'vllm' | 'llamacpp' | 'lmstudio' | 'custom';
  label: string;
  /** Empty where only the person knows. */
  baseUrl: string;
  /** False: asks for none, and takes any. */
  needsKey: boolean;
  /** A name that is likely there; empty where it depends on what was loaded. */
  modelHint: string;
  /** Set where the server wants another name for the limit of a reply. */
  maxTokensField?: 'max_completion_tokens';
}

/**
 * Addresses as the vendors' own pages give them (OpenAI, DeepSeek, Alibaba Cloud Model Studio for China, Ollama, vLLM,
 * llama.cpp, LM Studio), local servers on their default ports. Addresses on 127.0.0.1 rather than `localhost`, which
 * is tried on IPv6 first, where these servers do not listen.
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

import type { Settings } from '../../contract/types.ts';
import type { ExecutionOptions } from '../../engine/executionOptions.ts';

/**
 * The settings for the calls of every caller: by hand, a reply in the Parser, the chat, a gateway, our MCP
 * server. Each of them spreads this into the executor's options.
 */
export function callPolicy(settings: Pick<Settings, 'toolCallConfig' | 'toolTimeouts' | 'dangerousTools'>) {
  const { toolCallConfig, toolTimeouts, dangerousTools } = settings;
  return { config: toolCallConfig, toolTimeouts, dangerousTools } satisfies Partial<ExecutionOptions>;
}

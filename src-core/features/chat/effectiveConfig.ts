import type { ToolCallConfig } from '../../base/calls.ts';
import type { ChatOptions, ChatProtocol } from '../../contract/chat.ts';

/** Times that the same call may come again in one turn. */
const defaultMaxRepeats = 2;

/** A ToolCallConfig for one chat, and what only a chat has. */
export interface EffectiveConfig extends ToolCallConfig {
  maxRepeats: number;
}

/** The ToolCallConfig of a model's call outside of a chat. Of the protocols a chat may have, none changes how calls run. */
export function modelCallConfig(settings: ToolCallConfig): EffectiveConfig {
  return effectiveConfig(settings, { mode: settings.mode, protocol: newChatProtocol(settings), config: {} });
}

/** The protocol of a new chat. */
export function newChatProtocol({ protocol }: Pick<ToolCallConfig, 'protocol'>): ChatProtocol {
  return protocol === 'json' ? 'json' : 'vcp';
}

/**
 * The ToolCallConfig of a chat: the settings', with what the chat wants otherwise; its toggles go before those of the
 * settings, tool by tool. In `manual` mode every call has to be confirmed. With calling off no tool may be called, so that a
 * model that calls all the same is told so by the executor.
 */
export function effectiveConfig(
  settings: ToolCallConfig,
  { mode, protocol, config }: Pick<ChatOptions, 'mode' | 'protocol' | 'config'>,
): EffectiveConfig {
  const { toolToggles = {}, ...own } = config;
  const merged = { maxRepeats: defaultMaxRepeats, ...settings, ...own, mode, protocol };
  return {
    ...merged,
    requireConfirmation: merged.requireConfirmation || mode === 'manual',
    ...(merged.enabled
      ? { toolToggles: { ...settings.toolToggles, ...toolToggles } }
      : { toolToggles: {}, defaultToolEnabled: false }),
  };
}

import type { ToolView } from '../../../src-core/api/types.ts';
import { t } from '../../i18n/index.ts';

/** How a tool stands, in a word and a colour. */
export interface ToolState {
  text: string;
  kind: 'ok' | 'warn' | 'error' | 'plain';
  dot: boolean;
}

/** Words the state of a tool; nothing where there is nothing to say (a built-in tool is simply there). */
export function toolState(tool: ToolView, gone: boolean): ToolState | undefined {
  if (gone) return { text: t('discovery.state.gone'), kind: 'error', dot: true };
  const usable = tool.methods.filter(({ error }) => error === undefined).length;
  if (usable === 0 && (tool.error !== undefined || tool.methods.length > 0)) {
    return { text: t('discovery.state.broken'), kind: 'error', dot: true };
  }
  if (!tool.enabled) return { text: t('discovery.state.off'), kind: 'plain', dot: false };
  if (tool.error !== undefined || usable < tool.methods.length)
    return { text: t('discovery.state.partly'), kind: 'warn', dot: true };
  if (tool.source.kind !== 'device') return undefined;
  return { text: t('discovery.state.live'), kind: 'ok', dot: true };
}

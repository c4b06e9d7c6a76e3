import type { Component } from 'vue';

import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import type { DeviceInfo, ToolView } from '../../../src-core/contract/types.ts';
import { deviceHealth } from '../devices/deviceHealth.ts';
import { t } from '../../i18n/index.ts';
import { visibleText } from '../../ui/format/visibleText.ts';

/** The state of a tool, as a word and a colour. */
export interface ToolState {
  text: string;
  kind: 'ok' | 'warn' | 'error' | 'plain' | 'pending' | 'info';
  icon?: Component;
}

const isModule = ({ source }: ToolView): boolean => source.kind === 'module';

/** What became of a tool that is no longer registered. */
export const goneText = (tool: ToolView): string =>
  isModule(tool) ? t('discovery.removedText', { file: tool.source.label }) : t('discovery.goneText');

/** What a row says of a tool that cannot be used as it should be: the cause of its state. */
export function causeOfState({ error, methods }: ToolView): string | undefined {
  const broken = methods.find((method) => method.error !== undefined);
  const isUnusable = methods.every((method) => method.error !== undefined);
  if (broken?.error !== undefined && (error === undefined || isUnusable))
    return `${visibleText(broken.name)} · ${causeOf(broken.error, broken.name)}`;
  return error && wordError(error);
}

/**
 * Describes the state of a tool; undefined if there is nothing to report, such as for a built-in tool. `device` is the
 * device that the tool belongs to: its health counts.
 */
export function toolState(tool: ToolView, gone: boolean, device?: DeviceInfo): ToolState | undefined {
  if (gone && isModule(tool)) return { text: t('discovery.state.removed'), kind: 'error' };
  if (gone) return { text: t('discovery.state.gone'), kind: 'plain' };
  const usable = tool.methods.filter(({ error }) => error === undefined).length;
  if (usable === 0 && (tool.error !== undefined || tool.methods.length > 0)) {
    return { text: t('discovery.state.broken'), kind: 'error' };
  }
  if (!tool.enabled) return { text: t('discovery.state.off'), kind: 'plain' };
  const health = device === undefined ? undefined : deviceHealth(device);
  if (health !== undefined && health.kind !== 'ok') return health;
  if (tool.error !== undefined || usable < tool.methods.length)
    return { text: t('discovery.state.partly'), kind: 'warn' };
  if (tool.source.kind !== 'device') return undefined;
  return { text: t('discovery.state.live'), kind: 'ok' };
}

/** An error of a module in the window's language. Its code is in backticks, which this text has no use for. */
export const wordError = (error: string): string => wordEngine(error).replaceAll('`', '');

/** What is wrong with a method, without its place and name: the card shows the name, the title all of it. */
export function causeOf(error: string, name: string): string {
  const text = wordError(error);
  const at = Math.max(text.indexOf(`"${name}"`), text.indexOf(`“${name}”`));
  // In Chinese, a particle joins the name to what is said of it.
  return at < 0 ? text : text.slice(at + name.length + 2).replace(/^[\s:：]*(?:的 ?|中(?=有))?/, '');
}

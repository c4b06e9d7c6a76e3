import type { GatewayEvent } from '../features/gateway/types.ts';
import { escapeControls } from '../base/hiddenCharacters.ts';

const levels = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;

/** Which lines a log has, and in what form (CLOUD_LOG_LEVEL, CLOUD_LOG_FORMAT). */
export interface LogLineOptions {
  logLevel: GatewayEvent['level'];
  logFormat: 'json' | 'text';
}

/**
 * An event as one line of a log: JSON, or `time LEVEL message key=value …`. Undefined if it is below the level. Text
 * from a client cannot break the line.
 */
export function gatewayLogLine(
  { level, message, ...facts }: GatewayEvent,
  time: Date,
  { logLevel, logFormat }: LogLineOptions,
): string | undefined {
  if (levels.indexOf(level) < levels.indexOf(logLevel)) return undefined;
  if (logFormat === 'json') return `${JSON.stringify({ time: time.toISOString(), level, message, ...facts })}\n`;
  const pairs = Object.entries(facts).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${escapeControls([time.toISOString(), level, message, ...pairs].join(' ')).replaceAll(/\r?\n|\t/g, ' ')}\n`;
}

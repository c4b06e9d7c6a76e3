import { defaultToolCallConfig } from '../base/calls.ts';
import type { Settings } from './settings.ts';

/** What is set until the user changes it. The window imports it: no zod in this file. */
export const defaultSettings: Readonly<Settings> = {
  theme: 'system',
  density: 'auto',
  locale: 'system',
  dialect: 'auto',
  directoryRoot: '',
  openToNetwork: false,
  devicePort: null,
  deviceOrigins: [],
  offeredProtocols: {},
  deviceNames: {},
  listUserTools: true,
  dangerousTools: [],
  toolTimeouts: {},
  mcpMessageMib: 64,
  captureLimitMb: 64,
  historyLimit: { calls: 100_000, mb: 256 },
  vision: { answer: 'model', cannedText: 'The picture arrived. Nobody looked at it.' },
  cluster: { url: '', name: 'main', nodeName: '', nkeyFile: '', caFile: '' },
  proxy: { publicUrl: '', trusted: [] },
  toolCallConfig: defaultToolCallConfig,
  ui: {},
};

import { afterEach, describe, expect, it } from 'vitest';

import { deviceHealth } from '../../../../renderer/features/devices/deviceHealth.ts';
import { deviceHealth as healthOf } from '../../../../src-core/features/devices/health/deviceHealth.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { toolState } from '../../../../renderer/features/discovery/toolState.ts';
import type { DeviceInfo, DoctorCause, ToolView } from '../../../../src-core/contract/types.ts';

afterEach(() => setLanguage('en'));

const device = (state: DeviceInfo['state'], cause?: DoctorCause): DeviceInfo => ({
  id: 'd',
  deviceId: 'd',
  name: 'Lamp',
  state,
  health: healthOf(state, cause, undefined),
  toolCount: 1,
  remote: false,
  virtual: false,
  connectedAt: 0,
  lastSeenAt: 0,
  counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
  doctor: { steps: [], ...(cause !== undefined && { cause }) },
});

const tool = (error?: string): ToolView => ({
  id: 'lamp',
  name: 'Lamp',
  source: { kind: 'device', id: 'd', label: 'Lamp' },
  enabled: true,
  methods: [],
  ...(error !== undefined && { error }),
});

describe('the health of a device', () => {
  it.each([
    ['ready', undefined, 'Live', 'ok'],
    ['ready', 'idle', 'Live', 'ok'],
    ['ready', 'list-incomplete', 'Tools incomplete', 'warn'],
    ['ready', 'tools-invalid', 'Some tools are invalid', 'warn'],
    ['ready', 'mac-shared', 'MAC address used twice', 'warn'],
    ['closed', 'reconnects', 'Keeps reconnecting', 'warn'],
    ['ready', 'no-tools', 'No tools', 'warn'],
    ['ready', 'no-mcp', 'No MCP', 'error'],
    ['ready', 'broken-frames', 'Unreadable frames', 'warn'],
    ['ready', 'call-timeout', 'Call timed out', 'warn'],
    ['ready', 'back-after-crash', 'Disconnected during a call, reconnected', 'warn'],
    ['closed', 'left', 'Disconnected', 'plain'],
    ['closed', 'left-as-asked', 'Disconnected', 'plain'],
    ['closed', 'left-during-call', 'Disconnected during a call', 'error'],
    ['failed', 'list-silent', 'tools/list not answered', 'error'],
    ['failed', 'broken-frames', 'Failed', 'error'],
    ['failed', 'refused', 'Rejected', 'plain'],
    ['approval', 'waits-for-approval', 'Waiting for approval', 'warn'],
  ] as const)('of one that is %s with the cause %s is %s', (state, cause, text, kind) => {
    expect(deviceHealth(device(state, cause))).toMatchObject({ text, kind });
  });

  it('names the call that the end of its connection cut off', () => {
    const crashed = device('closed', 'left-during-call');
    crashed.doctor.steps = [{ id: 'call', state: 'failed', fact: '#23' }];
    expect(deviceHealth(crashed).text).toBe('Disconnected during call #23');
  });

  it.each([
    ['call-timeout', 'Call #3 timed out'],
    ['back-after-crash', 'Lost during call #3, reconnected'],
    ['broken-frames', 'Answer cut off'],
  ] as const)('names the call of %s', (cause, text) => {
    const lamp = device('ready', cause);
    lamp.doctor.steps = [{ id: 'call', state: 'failed', fact: '#3' }];
    if (cause === 'broken-frames') lamp.doctor.faults = ['cut'];
    expect(deviceHealth(lamp).text).toBe(text);
  });

  it('tells a device without any valid tool', () => {
    expect(deviceHealth({ ...device('ready', 'tools-invalid'), toolCount: 0 }).text).toBe('All tools are invalid');
  });

  it('is said in Chinese', () => {
    setLanguage('zh');
    expect(deviceHealth(device('closed', 'left-during-call')).text).toBe('调用期间断开');
  });

  it.each(['list-incomplete', 'broken-frames'] as const)('is the same in Discovery: %s', (cause) => {
    const sick = device('ready', cause);
    const { text, kind } = deviceHealth(sick);
    expect(toolState(tool(), false, sick)).toMatchObject({ text, kind });
    expect(toolState(tool(), false, device('ready'))).toMatchObject({ text: 'Live', kind: 'ok' });
  });
});

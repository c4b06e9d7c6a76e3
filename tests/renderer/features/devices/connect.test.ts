import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { flushPromises, mount } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import ConnectDialog from '../../../../renderer/features/devices/connect/ConnectDialog.vue';
import ListenerTrouble from '../../../../renderer/features/devices/connect/ListenerTrouble.vue';
import QrCode from '../../../../renderer/features/devices/connect/QrCode.vue';
import { qrPath } from '../../../../renderer/features/devices/connect/qrPath.ts';
import { connectScripted } from '../../../core/features/devices/support/scriptedDevice.ts';
import { giveLayout } from '../../layout.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';
import { button, dialog, press, until } from './acting.ts';

let window: TestWindow;
let undoLayout: () => void;
beforeEach(() => {
  undoLayout = giveLayout();
});
afterEach(async () => {
  await window.close();
  undoLayout();
  expect(window.errors).toEqual([]);
});

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const within = (element: HTMLElement, word: string): HTMLElement => {
  const found = [...element.querySelectorAll<HTMLElement>('button')].find((one) => one.textContent?.includes(word));
  if (!found) throw new Error(`No button “${word}”`);
  return found;
};
/** The question before the port is opened. */
async function question(): Promise<HTMLElement> {
  const find = (): HTMLElement | null => document.querySelector('[role="alertdialog"]');
  await until(() => find() !== null);
  return find()!;
}

describe('connecting a device', () => {
  it('asks for the local network first, then shows the address in every form and the steps', async () => {
    window = await openWindow();
    window.mount(ConnectDialog, { open: true });
    const shown = await dialog('Connect a device');
    await until(() => shown.textContent?.includes('Boards need local network access'));
    expect(shown.textContent).not.toContain('Boards on your network cannot connect yet');
    expect(shown.querySelector('.qr, .addresses, .steps')).toBeNull();
    await press(within(shown, 'Switch to the local network'));
    // It says first what becomes reachable, and for whom.
    expect((await question()).textContent).toMatch(
      /Every computer, phone and device on your network can then reach port \d+/,
    );
    await press(within(await question(), 'Cancel'));
    await until(() => document.querySelector('[role="alertdialog"]') === null);
    expect((await window.connection.client.settings.get()).openToNetwork).toBe(false);
    await press(within(shown, 'Switch to the local network'));
    await press(within(await question(), 'Open to the network'));
    // The listener has not moved yet, and this computer's own address would lead a board nowhere.
    expect(shown.querySelector('.qr, .addresses, .steps')).toBeNull();
    await until(() => shown.querySelector('.addresses') !== null);
    await until(async () => (await window.connection.client.settings.get()).openToNetwork);
    const { addresses } = await window.connection.client.devices.connectionFacts();
    await until(() => shown.querySelectorAll('.addresses label').length === addresses.length - 1);
    const [first] = addresses;
    expect(shown.textContent).toContain('Turn this off on networks that you do not trust.');
    expect(shown.textContent).toContain(first?.otaUrl);
    expect(shown.textContent).toContain(first?.webSocketUrl);
    expect(shown.querySelector('.qr')?.getAttribute('aria-label')).toBe(`QR code of ${first?.otaUrl}`);
    expect([...shown.querySelectorAll('.steps li')]).toHaveLength(5);
    expect(shown.textContent).toContain('Custom OTA URL');
    expect(shown.textContent).toContain('Press its button or say the wake word');
  });

  it('shows the config of py-xiaozhi and a token that is hidden at first', async () => {
    window = await openWindow();
    const { accessToken } = await window.connection.client.devices.connectionFacts();
    window.mount(ConnectDialog, { open: true });
    const shown = await dialog('Connect a device');
    await until(() => shown.querySelector('[aria-label="Device"]') !== null);
    await press(within(shown, 'py-xiaozhi'));
    await until(() => shown.textContent?.includes('OTA_VERSION_URL'));
    expect(shown.textContent).toContain('~/.local/share/py-xiaozhi/config');
    expect(shown.textContent).toContain('python main.py --mode cli --skip-activation');
    expect(shown.textContent).not.toContain(accessToken);
    await press(within(shown, 'Show'));
    await until(() => shown.textContent?.includes(accessToken));
  });

  it.runIf(ownAddress)('opens to the network with a plain warning, and every address it then answers at', async () => {
    window = await openWindow();
    window.mount(ConnectDialog, { open: true });
    const shown = await dialog('Connect a device');
    await until(() => shown.querySelector('[aria-label="Who may connect"]') !== null);
    expect(shown.textContent).not.toContain('disconnects');
    await window.connection.client.devices.addVirtual({});
    await press(within(shown, 'The local network'));
    // The question names what a switch costs; so does the warning, as nothing asks before the way back.
    const asked = await question();
    await until(() => asked.textContent?.includes('Changing this disconnects the connected device.'));
    await press(within(await question(), 'Open to the network'));
    await until(() => shown.querySelector('.addresses label') !== null);
    expect(shown.textContent).toContain('New devices wait until you approve them');
    await window.connection.client.devices.addVirtual({});
    await until(() => /Changing this disconnects .*connected device/.test(shown.textContent ?? ''));
    const labels = [...shown.querySelectorAll<HTMLElement>('.addresses label')];
    expect(labels[0]?.classList).toContain('sel');
    // A board cannot reach this computer there.
    expect(shown.querySelector('.addresses')?.textContent).not.toContain('127.0.0.1');
    await press(within(shown, 'py-xiaozhi'));
    await until(() => shown.querySelector('.addresses')?.textContent?.includes('127.0.0.1'));
    [...shown.querySelectorAll<HTMLElement>('.addresses label input')].at(-1)?.click();
    await until(() => shown.querySelector('.steps')?.textContent?.includes('http://127.0.0.1'));
  });

  it('shows the public address of a load balancer, also if the device port is open to this computer only', async () => {
    window = await openWindow();
    await window.connection.client.settings.set({ proxy: { publicUrl: 'http://devices.example', trusted: [] } });
    window.mount(ConnectDialog, { open: true });
    const shown = await dialog('Connect a device');
    await until(() => shown.querySelector('.addresses') !== null);
    const label = 'QR code of http://devices.example/xiaozhi/ota/';
    expect(shown.querySelector('.qr')?.getAttribute('aria-label')).toBe(label);
    expect(shown.textContent).not.toContain('Boards need local network access');
  });

  it('says how to close a port whose address was set at the start', async () => {
    window = await openWindow({ deviceHost: '0.0.0.0' });
    window.mount(ConnectDialog, { open: true });
    const shown = await dialog('Connect a device');
    await until(() => shown.textContent?.includes('start Toolwire without --device-host.'));
    expect(shown.textContent).not.toContain('Turn this off');
  });

  it('says how to start it if the address was set at the start to one that no board can reach', async () => {
    window = await openWindow({ deviceHost: '127.0.0.1' });
    window.mount(ConnectDialog, { open: true });
    const shown = await dialog('Connect a device');
    await until(() => shown.textContent?.includes('Restart Toolwire with --device-host 0.0.0.0'));
    expect(shown.textContent).not.toContain('Switch to the local network');
  });

  it.runIf(ownAddress)('shows a device that waits for approval, and approves it', async () => {
    window = await openWindow();
    await window.connection.client.settings.set({ openToNetwork: true });
    window.mount(ConnectDialog, { open: true });
    const shown = await dialog('Connect a device');
    await until(() => shown.textContent?.includes('Then approve the device here'));
    const headers = { 'Device-Id': '02:00:00:aa:bb:cc', 'Client-Id': 'c-1' };
    const { port } = window.workbench.info().device;
    const ota = await fetch(`http://${ownAddress}:${port}/xiaozhi/ota/`, { method: 'POST', headers, body: '{}' });
    const { websocket } = (await ota.json()) as { websocket: { url: string; token: string } };
    const board = await connectScripted(websocket.url, {
      headers: { ...headers, Authorization: `Bearer ${websocket.token}` },
    });
    onTestFinished(() => board.socket.terminate());
    board.hello();
    const waiting = (): HTMLElement | undefined =>
      [...shown.querySelectorAll<HTMLElement>('.banner')].find(({ textContent }) => textContent?.includes('Reject'));
    await until(() => waiting());
    const [device] = await window.connection.client.devices.list();
    expect(waiting()?.textContent).toContain(`${device?.name} is waiting for approval`);
    expect(waiting()?.querySelector('code')?.textContent).toBe('02:00:00:aa:bb:cc');
    await press(within(waiting()!, 'Approve'));
    await until(() => waiting() === undefined);
    const [approved] = await window.connection.client.devices.list();
    expect(approved?.state).not.toBe('approval');
  });
});

describe('a port that another program uses', () => {
  it('is named with the remedy; the next free one is a click away', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    window = await openWindow({ devicePort: port });
    const { conflict } = window.workbench.info().device;
    const banner = window.mount(ListenerTrouble);
    await until(() => banner.text().includes(String(port)));
    expect(banner.text()).toContain(
      `Port ${port} on 127.0.0.1 is used by another program. Stop it, or choose another port`,
    );
    await press(button(banner, `Use port ${conflict?.freePort}`));
    await until(() => banner.text() === '');
    expect(window.workbench.info().device).toMatchObject({ listening: true, port: conflict?.freePort });
  });

  it('may be any other; one that is taken, too, is refused with the reason', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    window = await openWindow({ devicePort: port });
    const banner = window.mount(ListenerTrouble);
    await until(() => banner.text().includes(String(port)));
    await press(button(banner, 'Try again'));
    // Answered after the button's.
    await expect(window.connection.client.devices.listen({ port })).rejects.toThrow('is used by');
    await flushPromises();
    // The same reason is not shown twice.
    expect(banner.text().match(/is used by/g)).toHaveLength(1);
    const field = banner.get<HTMLInputElement>('.port input');
    await field.setValue('70000');
    expect(banner.get('.port-field button').text()).toBe('Apply');
    expect(banner.get('.port-field button').attributes('aria-disabled')).toBe('true');
    expect(banner.get('[role=alert]').text()).toContain('Enter a port from 0 to 65535');
    await field.setValue('0');
    await field.trigger('keydown', { key: 'Enter' });
    await until(() => window.workbench.info().device.listening);
    await until(() => banner.text() === '');
  });
});

describe('the QR code', () => {
  it('is a path of dark modules with the quiet zone, without other markup', async () => {
    window = await openWindow();
    const { size, path } = qrPath('http://192.168.1.23:8000/xiaozhi/ota/');
    expect(path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
    // Three finder patterns of 7 modules, 4 from the edge.
    expect(path).toContain('M4 4h7v1h-7z');
    expect(path).toContain(`M${size - 11} 4h7v1h-7z`);
    expect(path).toContain(`M4 ${size - 11}h7v1h-7z`);
    const code = mount(QrCode, { props: { text: 'x', label: 'QR' } });
    expect(code.attributes()).toMatchObject({ role: 'img', 'aria-label': 'QR', 'data-theme': 'light' });
    code.unmount();
  });
});

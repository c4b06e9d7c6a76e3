import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { h, provide, ref } from 'vue';

import WaitingQueue from '../../../../renderer/app/waiting/WaitingQueue.vue';
import HostTable from '../../../../renderer/features/hosts/HostTable.vue';
import HostsPane from '../../../../renderer/features/hosts/HostsPane.vue';
import { useHosts } from '../../../../renderer/features/hosts/hostsStore.ts';
import { paneHostKey } from '../../../../renderer/window/paneHost.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { addServer, onlyServer, untilState } from '../../../core/features/servers/support.ts';
import { serveLegacy } from '../../../core/mcp/legacyServer.ts';
import { giveNarrowWindow } from '../../layout.ts';
import { openWindow, type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds);

windowForEachTest((opened) => (window = opened), { width: 1_400, height: 900 });
beforeEach(async () => {
  pane = window.mount(HostsPane);
  await until(() => pane.text().includes('No host yet'));
});

function press(word: string): void {
  const buttons = [...document.body.querySelectorAll<HTMLElement>('button')];
  // A dialog is behind the pane in the document.
  const found = buttons.findLast(
    (each) => each.textContent?.trim() === word || each.getAttribute('aria-label') === word,
  );
  if (!found) throw new Error(`No button “${word}” in: ${buttons.map((each) => each.textContent).join(' | ')}`);
  found.click();
}

const field = (label: string) => pane.find<HTMLInputElement>(`input[aria-label="${label}"]`);

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'claude-code', version: '2.1.303' }, { versionNegotiation: { mode: 'auto' } });
  const url = new URL((await window.connection.client.hosts.state()).url);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

describe("the hosts' pane", () => {
  it('counts no tools while they are read', async () => {
    const read = Promise.withResolvers<undefined>();
    const hosts = window.use(useHosts);
    const { tools } = hosts;
    vi.spyOn(hosts, 'tools').mockImplementation(async (scope) => {
      await read.promise;
      return tools(scope);
    });
    press('Connect a host');
    await until(() => document.activeElement?.getAttribute('name') === 'host-program');
    const connect = () => document.querySelector('.connect')?.textContent;
    expect(connect()).not.toMatch(/\d tools|can be called/);
    // A program that may have both ways keeps its place.
    expect(connect()).toContain('toolwire mcp');
    read.resolve(undefined);
    await until(() => /Accepts all [1-9]\d* tools/.test(connect() ?? ''));
  });

  it('renames a tool, and says why a name does not fit', async () => {
    const { hosts } = window.connection.client;
    const [tool] = await hosts.tools({ scope: 'all' });
    const { qualifiedName = '' } = tool ?? {};
    press('Tool names');
    const label = `Name of ${qualifiedName}`;
    const input = () => document.body.querySelector<HTMLInputElement>(`input[aria-label="${label}"]`);
    const rename = async (name: string) => {
      const field = await until(() => input());
      if (field === null) throw new Error('There is no field.');
      field.value = name;
      field.dispatchEvent(new Event('input'));
      const button = `button[aria-label="Rename: ${qualifiedName}"]:not(:disabled, [aria-disabled="true"])`;
      await until(() => document.body.querySelector(button) !== null);
      press(`Rename: ${qualifiedName}`);
    };
    await rename('a.b');
    await until(() => document.body.textContent?.includes('letters, digits and single underscores'));
    expect(input()?.closest('li')?.querySelector('[role="alert"]')?.textContent).toContain('single underscores');
    const find = (words: string): void => {
      const search = document.body.querySelector<HTMLInputElement>('[role="dialog"] .search input')!;
      search.value = words;
      search.dispatchEvent(new Event('input'));
    };
    find('no such tool');
    await until(() => document.body.textContent?.includes('No tool matches.'));
    find(qualifiedName.slice(0, -1));
    await until(() => input() !== null);
    await rename('my_clock');
    await until(async () => (await hosts.tools({ scope: 'all' })).some(({ name }) => name === 'my_clock'));
    press('Close');
  });

  it('offers hosts the tools of a server that are not offered, where they are missed', async () => {
    const { workbench } = window;
    const server = await serveLegacy(({ method }) =>
      method === 'tools/list' ? { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] } : undefined,
    );
    const id = await addServer(workbench, { name: 'lab', type: 'http', url: server.url, headers: [] });
    await untilState(workbench, 'ready');
    press('Connect a host');
    await until(() => document.activeElement?.getAttribute('name') === 'host-program');
    await until(() => document.body.textContent?.includes('1 tool of lab is not offered to hosts.'));
    // The configuration is in view, however many servers are not offered.
    const [code, rest] = [document.querySelector('.connect .box'), document.querySelector('.not-offered')];
    expect(code?.compareDocumentPosition(rest!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const { consumers } = await onlyServer(workbench);
    document.querySelector<HTMLElement>('[aria-label="Offer the tools of lab to hosts"]')?.focus();
    press('Offer the tools of lab to hosts');
    await until(() => !document.body.textContent?.includes('is not offered to hosts'));
    expect((await onlyServer(workbench)).consumers).toEqual([...consumers, 'host']);
    await until(() => document.activeElement?.matches('[data-region]'));
    const offered = await window.connection.client.hosts.tools({ scope: 'all' });
    expect(offered.map(({ source }) => source)).toContain(`mcp:${id}`);
    press('Close');
    await until(() => document.activeElement?.textContent?.trim() === 'Connect a host');
    press('Connect a host');
    await until(() => document.activeElement?.getAttribute('name') === 'host-program');
    press('Connect a host');
    await until(() => document.activeElement?.getAttribute('aria-expanded') === 'false');
  });

  it('asks before it opens MCP to the network, opens the device port with it, and says if that has no effect', async () => {
    const { hosts, settings, workbench } = window.connection.client;
    const toggle = pane.find('[role="switch"][aria-label="Open to the network"]');
    await toggle.trigger('click');
    await until(() => document.body.textContent?.includes('This also opens the device port'));
    expect((await hosts.state()).openToNetwork).toBe(false);
    press('Open to the network');
    await until(async () => (await settings.get()).openToNetwork);
    await until(async () => (await hosts.state()).openToNetwork);
    const address = async () => new URL((await workbench.info()).device.otaUrl).host;
    await until(async () => pane.find('.head code').text() === `http://${await address()}/mcp`);
    await settings.set({ openToNetwork: false });
    await until(() => pane.text().includes('No effect yet'));
    press('Open the device port to the network');
    await until(() => document.body.textContent?.includes('Open MCP to your network?'));
    press('Cancel');
    await toggle.trigger('click');
    await until(async () => !(await hosts.state()).openToNetwork);
    await until(() => !pane.text().includes('No effect yet'));
  });

  it('leaves the device port closed if MCP could not be opened, and says that it stays open if only MCP is closed', async () => {
    const { hosts, settings, toasts } = window.use(() => ({
      hosts: useHosts(),
      settings: useSettings(),
      toasts: useToasts(),
    }));
    const toggle = pane.find('[role="switch"][aria-label="Open to the network"]');
    const openIt = async () => {
      await toggle.trigger('click');
      await until(() => document.body.textContent?.includes('This also opens the device port'));
      press('Open to the network');
    };
    const refusing = vi.spyOn(hosts, 'setOpenToNetwork').mockRejectedValueOnce(new Error('The disk is full.'));
    await openIt();
    await until(() => toasts.list.some(({ text }) => text === 'The disk is full.'));
    expect(toasts.list.map(({ title }) => title)).toEqual(['“Open to the network” failed']);
    expect(settings.current.openToNetwork).toBe(false);
    refusing.mockRestore();
    await openIt();
    await until(() => hosts.state?.openToNetwork && settings.current.openToNetwork);
    await toggle.trigger('click');
    await until(() =>
      toasts.list.some(({ text }) => /^The device port \d+ stays open to your network\.$/.test(text ?? '')),
    );
    expect(settings.current.openToNetwork).toBe(true);
    toasts.list.at(-1)?.action?.run();
    expect(settings.current.openToNetwork).toBe(false);
    await settings.flush();
  });

  it('cannot open MCP if the device port is fixed to this computer, and says why', async () => {
    const fixed = await openWindow({ deviceHost: '127.0.0.1' });
    onTestFinished(() => fixed.close());
    const other = fixed.mount(HostsPane);
    await until(() => other.text().includes('which hosts on other computers cannot reach'));
    expect(other.text()).toContain('Toolwire was started with --device-host 127.0.0.1.');
    await until(() => other.find('code.mono').exists());
    const toggle = other.find('[role="switch"][aria-label="Open to the network"]');
    expect(toggle.attributes()).toHaveProperty('disabled');
  });

  it('shows a created token until the dialog is closed or its host is revoked', async () => {
    const { hosts } = window.connection.client;
    const width = ref(1_400);
    pane.unmount();
    pane = window.mount({
      setup() {
        provide(paneHostKey, { inFront: ref(true), width, right: ref(0) });
        return () => h(HostsPane);
      },
    });
    press('Connect a host');
    await until(() => field('Name of the host').exists());
    // One that is never listed, as if the list could not be read again.
    const store = window.use(() => useHosts());
    vi.spyOn(store, 'create').mockResolvedValueOnce({ id: 'unlisted', token: 'tw_unlisted' });
    press('Create token');
    await until(() => field('Token').exists());
    expect(field('Token').element.value).toBe('tw_unlisted');
    press('Create token');
    await until(() => field('Token').element.value !== 'tw_unlisted');
    const { value } = field('Token').element;
    expect(pane.text()).toContain('The token of “Claude Code” is shown only once.');
    await pane.find('input[value="cursor"]').setValue();
    expect(field('Token').exists()).toBe(false);
    expect(pane.text()).not.toContain('is shown only once');
    await pane.find('input[value="claude-code"]').setValue();
    expect(field('Token').element.value).toBe(value);
    await pane.find('[role="switch"][aria-label="Search instead of a list"]').trigger('click');
    width.value = 800;
    await until(() => document.querySelector('.drawer [aria-label="Token"]') !== null);
    expect(document.querySelector<HTMLInputElement>('.drawer [aria-label="Token"]')?.value).toBe(value);
    const [host] = (await hosts.state()).hosts;
    await until(() => pane.text().includes('has not connected'));
    await hosts.revoke({ id: host?.id ?? '' });
    await until(() => document.querySelector('[aria-label="Token"]') === null);
    press('Create token');
    await until(() => document.querySelector('[aria-label="Token"]') !== null);
    press('Close');
    await until(() => document.querySelector('.drawer') === null);
    press('Connect a host');
    await until(() => document.querySelector('.drawer')?.textContent?.includes('claude mcp add'));
    expect(document.querySelector('[aria-label="Token"]')).toBeNull();
  });

  it('makes a token, shows the host with its calls, and revokes it', async () => {
    press('Connect a host');
    await until(() => field('Name of the host').exists());
    await field('Name of the host').setValue('My editor');
    press('Create token');
    await until(() => field('Token').exists());
    const token = field('Token').element.value;
    expect(token).toMatch(/^tw_[\w-]{43}$/);
    await until(() => document.activeElement?.textContent?.trim() === 'Copy the token');
    await until(() => pane.text().includes('My editor'));
    expect(pane.text()).toContain('has not connected');

    const client = await connect(token);
    const { tools } = await client.listTools();
    await client.callTool({ name: tools[0]?.name ?? '' });
    await until(() => pane.text().includes('claude-code 2.1.303'));
    await until(() => pane.findAll('li').length === 1);
    expect(pane.find('li').text()).toContain(tools[0]?.name);
    await until(() => pane.find('li button').exists());
    await pane.find('li button').trigger('click');
    await until(() => document.body.querySelector('[role="dialog"] [role="tablist"]') !== null);
    press('Arguments');
    await until(() => document.body.querySelector('[role="dialog"]')?.textContent?.includes('{}'));
    press('Wire');
    await until(() =>
      document.body.querySelector('[role="dialog"]')?.textContent?.includes(`tools/call ${tools[0]?.name}`),
    );
    press('Close');
    await until(() => document.body.querySelector('[role="dialog"]') === null);
    expect(pane.text()).toContain('2026-07-28');

    const revoke = document.querySelector<HTMLElement>('[aria-label="Revoke: My editor"]');
    revoke?.focus();
    press('Revoke: My editor');
    await until(() => document.body.textContent?.includes('Its token becomes invalid immediately'));
    press('Revoke');
    await until(() => pane.text().includes('No host yet'));
    await until(() => document.activeElement?.matches('[data-region]'));
    await expect(client.callTool({ name: 'clock_get_time' })).rejects.toThrow();
  });

  it('names a host and its program once if both have the same name', async () => {
    const { hosts } = window.connection.client;
    await hosts.create({ name: 'inspector', scope: 'all' });
    const [row] = (await hosts.state()).hosts;
    const client = { name: 'inspector', version: '2.0' };
    const table = window.mount(HostTable, { hosts: [{ ...row, client }], chosen: '' });
    const text = table.get('tbody th').text();
    expect(text).toContain('2.0 · HTTP');
    expect(text.match(/inspector/g)).toHaveLength(1);
  });

  it('has the configuration of each program, without a token until one is created', async () => {
    press('Connect a host');
    await until(() => pane.text().includes('claude mcp add'));
    for (const [program, sign] of [
      ['vscode', '${input:toolwire-token}'],
      ['cursor', '${env:TOOLWIRE_TOKEN}'],
      ['codex', 'bearer_token_env_var'],
      ['inspector', 'npx @modelcontextprotocol/inspector'],
      ['other', 'Authorization: Bearer <token>'],
      ['claude-desktop', '"mcpServers"'],
    ] as const) {
      await pane.find(`input[value="${program}"]`).setValue();
      await until(() => pane.text().includes(sign));
    }
    expect(pane.text()).toContain('No token is needed');
    expect(pane.text()).toContain('Write to claude_desktop_config.json');
    expect(pane.text()).toMatch(/[/\\]claude_desktop_config\.json: other entries stay/);
    const way = (word: string) => pane.findAll('[role=radio]').find((each) => each.text() === word);
    await pane.find('input[value="cursor"]').setValue();
    await way('toolwire mcp')?.trigger('click');
    await pane.find('input[value="vscode"]').setValue();
    await until(() => pane.text().includes('"type": "stdio"'));
    await pane.find('input[value="claude-desktop"]').setValue();
    expect(pane.text()).toContain('No problems.');
    await pane.find('input[value="other"]').setValue();
    await way('HTTP')?.trigger('click');
    press('Create token');
    await until(() => field('Token').exists());
    expect(pane.text()).toContain(`Authorization: Bearer ${field('Token').element.value}`);
    await pane.find('input[value="cursor"]').setValue();
    expect(pane.text()).not.toContain('tw_');
  });

  it('shows the configuration of the last choice, also if that of an earlier one arrives later', async () => {
    const hosts = window.use(() => useHosts());
    press('Connect a host');
    await until(() => pane.text().includes('claude mcp add'));
    await pane.find('input[value="claude-desktop"]').setValue();
    const earlier = Promise.withResolvers<undefined>();
    const read = hosts.connectTexts;
    const texts = vi.spyOn(hosts, 'connectTexts').mockImplementationOnce(async (...asked) => {
      await earlier.promise;
      return read(...asked);
    });
    const tools = vi.spyOn(hosts, 'tools');
    const finds = pane.find('[role="switch"][aria-label="Search instead of a list"]');
    await finds.trigger('click');
    await finds.trigger('click');
    expect([texts.mock.calls.map(([, isFinding]) => isFinding), tools.mock.calls]).toEqual([
      [true, false],
      [['all'], ['all']],
    ]);
    await Promise.all([texts.mock.results[1], ...tools.mock.results].map((result) => result?.value as unknown));
    earlier.resolve(undefined);
    await texts.mock.results[0]?.value;
    await flushPromises();
    expect(pane.text()).toContain('"mcpServers"');
    expect(pane.text()).not.toContain('--find');
  });

  it('shows how to connect a host in a drawer if the window is narrow', async () => {
    pane.unmount();
    onTestFinished(giveNarrowWindow());
    pane = window.mount(HostsPane);
    await until(() => pane.text().includes('No host yet'));
    press('Connect a host');
    await until(() => document.querySelector('.drawer')?.textContent?.includes('claude mcp add'));
    expect(pane.text()).not.toContain('claude mcp add');
  });

  it('is in Chinese, too', async () => {
    setLanguage('zh');
    onTestFinished(() => setLanguage('en'));
    await until(() => pane.text().includes('还没有宿主'));
  });
});

describe('a dangerous call of a host', () => {
  it('asks in the window, and runs once it is allowed', async () => {
    let restarts = 0;
    window.workbench.toolRegistryManager.register({
      id: 'board',
      name: 'board',
      source: { kind: 'device', id: 'board', label: 'Board' },
      getMetadata: () => ({
        methods: [
          {
            name: 'reboot',
            description: '',
            agentCallable: true,
            inputSchema: { type: 'object' },
            danger: 'It restarts.',
          },
        ],
      }),
      invoke: () => Promise.resolve({ value: (restarts += 1) }),
    });
    const questions = window.mount(WaitingQueue);
    const { token } = await window.connection.client.hosts.create({ name: 'My editor', scope: 'all' });
    const client = await connect(token);
    const { tools } = await client.listTools();
    const name = tools.find((tool) => tool.name.endsWith('reboot'))?.name ?? '';
    const answer = client.callTool({ name });
    await until(() => questions.text().includes('My editor, an MCP host, calls it on'));
    await until(() => pane.text().includes('Waiting for you'));
    expect(restarts).toBe(0);
    press('Run it');
    expect(await answer).not.toMatchObject({ isError: true });
    expect(restarts).toBe(1);
  });
});

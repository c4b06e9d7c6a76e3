/** The one fake of Electron: what its documentation says of the parts we use, without a window. */
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  MessagePortMain,
  Rectangle,
} from 'electron';
import { EventEmitter, once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

import type {
  ElectronParts,
  FramePart,
  IpcEvent,
  NavigationDetails,
  PreventableEvent,
  SafeStoragePart,
  WebContentsPart,
  WindowPart,
} from '../../electron/electronParts.ts';

export class FakeFrame implements FramePart {
  url: string;
  parent: object | null;
  detached = false;
  readonly received: { channel: string; message: unknown; ports: MessagePort[] }[] = [];

  constructor(url: string, parent: object | null = null) {
    this.url = url;
    this.parent = parent;
  }

  postMessage(channel: string, message: unknown, transfer: MessagePortMain[]): void {
    this.received.push({ channel, message, ports: transfer as unknown as MessagePort[] });
  }
}

export class FakeContents extends EventEmitter implements WebContentsPart {
  mainFrame = new FakeFrame('');
  zoomLevel = 0;
  readonly calls: string[] = [];
  getZoomLevel = (): number => this.zoomLevel;
  setZoomLevel = (level: number): void => void (this.zoomLevel = level);
  reload = (): void => void this.calls.push('reload');
  toggleDevTools = (): void => void this.calls.push('toggleDevTools');
  openHandler: ((details: { url: string }) => { action: 'deny' }) | undefined;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void {
    this.openHandler = handler;
  }

  /** Emits a preventable event; true where it was prevented. */
  isPrevented(event: string): boolean {
    let prevented = false;
    const details: PreventableEvent = { preventDefault: () => (prevented = true) };
    this.emit(event, details);
    return prevented;
  }

  navigate(details: NavigationDetails): void {
    this.emit('did-start-navigation', details);
  }
}

export class FakeWindow extends EventEmitter implements WindowPart {
  readonly options: BrowserWindowConstructorOptions;
  readonly webContents = new FakeContents();
  bounds: Rectangle = { x: 10, y: 20, width: 1280, height: 800 };
  maximized = false;
  minimized = false;
  full = false;
  shown = false;
  focused = 0;

  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
  }

  loadURL(url: string): Promise<void> {
    this.webContents.mainFrame = new FakeFrame(url);
    return Promise.resolve();
  }
  getNormalBounds = (): Rectangle => ({ ...this.bounds });
  isMaximized = (): boolean => this.maximized;
  isMinimized = (): boolean => this.minimized;
  isFullScreen = (): boolean => this.full;
  setFullScreen = (full: boolean): void => void (this.full = full);
  minimize = (): void => void (this.minimized = true);
  maximize = (): void => void (this.maximized = true);
  restore = (): void => void (this.minimized = false);
  show = (): void => void (this.shown = true);
  focus = (): void => void this.focused++;

  close(): void {
    this.emit('close');
    this.webContents.emit('destroyed');
    this.emit('closed');
  }
}

class FakeApp extends EventEmitter {
  readonly calls: string[] = [];
  locked = true;
  isPackaged = false;
  locale = 'en-GB';
  exitCode: number | undefined;

  getVersion = (): string => '1.2.3';
  getLocale = (): string => this.locale;
  setAsDefaultProtocolClient = (scheme: string): boolean => this.calls.push(`protocol ${scheme}`) > 0;
  relaunch = ({ execPath }: { execPath: string }): void => void this.calls.push(`relaunch ${execPath}`);
  enableSandbox = (): void => void this.calls.push('enableSandbox');
  requestSingleInstanceLock = (): boolean => this.locked;
  whenReady = (): Promise<void> => {
    this.calls.push('whenReady');
    return Promise.resolve();
  };
  /** As Electron does: asks first; closes the windows and ends where nobody prevents it. */
  quit = (): void => {
    this.calls.push('quit');
    let prevented = false;
    this.emit('before-quit', { preventDefault: () => (prevented = true) });
    if (!prevented) this.exit(0);
  };
  exit = (code: number): void => {
    this.exitCode = code;
    this.emit('exited');
  };
  async exited(): Promise<number> {
    if (this.exitCode === undefined) await once(this, 'exited');
    return this.exitCode!;
  }
}

/** Encrypts by turning bytes over: enough to see that nothing is kept as it is. */
export class FakeSafeStorage implements SafeStoragePart {
  available = true;
  /** True for Linux without a keyring: Chromium then encrypts with a fixed password and marks the ciphertext `v10`. */
  fixedPassword = false;
  /** True until the next decryption: the system has changed its own key. */
  rotated = false;
  locked = false;

  isAsyncEncryptionAvailable = (): Promise<boolean> => Promise.resolve(this.available);
  encryptStringAsync = (text: string): Promise<Buffer> =>
    Promise.resolve(
      Buffer.concat([
        Buffer.from(this.fixedPassword ? 'v10' : 'v11'),
        Buffer.from(text, 'utf8').map((byte) => byte ^ 0xff),
      ]),
    );
  decryptStringAsync = (encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> => {
    if (this.locked) return Promise.reject(new Error('Error while decrypting the ciphertext provided.'));
    const shouldReEncrypt = this.rotated;
    this.rotated = false;
    return Promise.resolve({
      result: Buffer.from(encrypted.subarray(3).map((byte) => byte ^ 0xff)).toString('utf8'),
      shouldReEncrypt,
    });
  };
}

export class FakeElectron implements ElectronParts {
  readonly app = new FakeApp();
  readonly windows: FakeWindow[] = [];
  readonly ipcMain = new EventEmitter();
  readonly opened: string[] = [];
  readonly errorBoxes: string[] = [];
  readonly messageBoxes: MessageBoxOptions[] = [];
  /** The buttons that are pressed, box by box; the last one's number where there are no more. */
  readonly answers: number[] = [];
  readonly privileged: { scheme: string; privileges: Record<string, boolean> }[] = [];
  readonly handlers = new Map<string, (request: Request) => Promise<Response>>();
  readonly permissions: Parameters<ElectronParts['session']['defaultSession']['setPermissionRequestHandler']>[0][] = [];
  menu: unknown;
  readonly contextMenus: MenuItemConstructorOptions[][] = [];
  /** What macOS answers when it is asked for the microphone. */
  microphone: Promise<boolean> = Promise.resolve(true);
  microphoneRequests = 0;
  beforeRequest: Parameters<ElectronParts['session']['defaultSession']['webRequest']['onBeforeRequest']>[0] | undefined;
  permissionCheck: Parameters<ElectronParts['session']['defaultSession']['setPermissionCheckHandler']>[0] | undefined;
  devicePermission: (() => boolean) | undefined;

  readonly protocol = {
    registerSchemesAsPrivileged: (schemes: { scheme: string; privileges: Record<string, boolean> }[]): void => {
      this.app.calls.push('registerSchemesAsPrivileged');
      this.privileged.push(...schemes);
    },
    handle: (scheme: string, handler: (request: Request) => Promise<Response>): void =>
      void this.handlers.set(scheme, handler),
  };
  readonly session: ElectronParts['session'] = {
    defaultSession: {
      webRequest: { onBeforeRequest: (listener) => void (this.beforeRequest = listener) },
      setPermissionRequestHandler: (handler) => void this.permissions.push(handler),
      setPermissionCheckHandler: (handler) => void (this.permissionCheck = handler),
      setDevicePermissionHandler: (handler) => void (this.devicePermission = handler),
    },
  };
  readonly systemPreferences: ElectronParts['systemPreferences'] = {
    askForMediaAccess: () => {
      this.microphoneRequests += 1;
      return this.microphone;
    },
  };
  readonly shell = {
    openExternal: (url: string): Promise<void> => {
      this.opened.push(url);
      return Promise.resolve();
    },
  };
  readonly nativeTheme: ElectronParts['nativeTheme'] = { themeSource: 'system', shouldUseDarkColors: true };
  readonly screen = { getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }) };
  readonly dialog = {
    showErrorBox: (title: string, text: string): void => void this.errorBoxes.push(`${title}: ${text}`),
    showMessageBox: (options: MessageBoxOptions): Promise<{ response: number }> => {
      this.messageBoxes.push(options);
      return Promise.resolve({ response: this.answers.shift() ?? (options.buttons?.length ?? 1) - 1 });
    },
  };
  popUpMenu = (template: MenuItemConstructorOptions[]): void => void this.contextMenus.push(template);
  setMenu = (template: unknown): void => void (this.menu = template);

  createWindow = (options: BrowserWindowConstructorOptions): FakeWindow => {
    const window = new FakeWindow(options);
    this.windows.push(window);
    this.app.emit('web-contents-created', {}, window.webContents);
    return window;
  };

  /** Node's own ports: their events carry the value itself, which `portWire` takes as well. */
  createChannel = (): { port1: MessagePort; port2: MessagePortMain } => {
    const { port1, port2 } = new MessageChannel();
    return { port1, port2: port2 as unknown as MessagePortMain };
  };

  /** A page asks for a port. */
  ask(event: IpcEvent, message: unknown): void {
    this.ipcMain.emit('toolwire:connect', event, message);
  }
}

/** The one fake of Electron: what its documentation says of the parts we use, without a window. */
import type {
  BrowserWindowConstructorOptions,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  MessagePortMain,
  Rectangle,
} from 'electron';
import { EventEmitter, once } from 'node:events';
import { statSync, symlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

import type { FrameNavigation } from '../../electron/appSandbox.ts';
import type {
  ElectronParts,
  FramePart,
  IpcEvent,
  NavigationDetails,
  PreventableEvent,
  SafeStoragePart,
  UtilityProcessPart,
  WebContentsPart,
  WindowPart,
} from '../../electron/electronParts.ts';
import { startFakeUtility } from './fakeUtilityProcess.ts';
import { environments, type EnvironmentTraits, type FakeEnvironment } from './fakeEnvironments.ts';

/** Emits a preventable event. Returns whether a listener prevented it. */
function emitPreventable(emitter: EventEmitter, name: string): boolean {
  let prevented = false;
  const event: PreventableEvent = { preventDefault: () => (prevented = true) };
  emitter.emit(name, event);
  return prevented;
}

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
  webRtcPolicy: string | undefined;
  setWebRTCIPHandlingPolicy = (policy: string): void => void (this.webRtcPolicy = policy);
  openHandler: ((details: { url: string }) => { action: 'deny' }) | undefined;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void {
    this.openHandler = handler;
  }

  /** Emits a preventable event. Returns whether a listener prevented it. */
  isPrevented(event: string): boolean {
    return emitPreventable(this, event);
  }

  /** A frame wants to navigate. Returns whether a listener prevented it. */
  preventsFrame(navigation: Omit<FrameNavigation, 'preventDefault'>): boolean {
    let prevented = false;
    this.emit('will-frame-navigate', { ...navigation, preventDefault: () => (prevented = true) });
    return prevented;
  }

  /** Its process ends, for a reason of `RenderProcessGoneDetails`. */
  crash(reason = 'crashed'): void {
    this.emit('render-process-gone', {}, { reason, exitCode: 5 });
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
  open = true;
  readonly #traits: EnvironmentTraits;

  constructor(options: BrowserWindowConstructorOptions, traits: EnvironmentTraits) {
    super();
    this.options = options;
    this.#traits = traits;
  }

  loadURL(url: string): Promise<void> {
    this.webContents.mainFrame = new FakeFrame(url);
    return this.#traits.load === 'fails' ? Promise.reject(new Error('ERR_FAILED (-2)')) : Promise.resolve();
  }

  /** The load ends, as it does in this environment. */
  endLoad(): void {
    const { load, readyToShow } = this.#traits;
    if (load === 'fails') this.webContents.emit('did-fail-load', {}, -2, 'ERR_FAILED', '', true);
    else if (load === 'crashes') this.webContents.crash();
    else {
      this.webContents.emit('did-finish-load');
      if (readyToShow === 'painted' || this.shown) this.emit('ready-to-show');
    }
  }

  getNormalBounds = (): Rectangle => ({ ...this.bounds });
  isMaximized = (): boolean => this.maximized;
  isMinimized = (): boolean => this.minimized;
  isFullScreen = (): boolean => this.full;
  setFullScreen = (full: boolean): void => void (this.full = full);
  minimize = (): void => void (this.minimized = true);
  maximize = (): void => void (this.maximized = true);
  restore = (): void => void (this.minimized = false);
  focus = (): void => void this.focused++;

  show(): void {
    this.shown = true;
    if (this.#traits.readyToShow === 'afterShow') this.emit('ready-to-show');
  }

  close(): void {
    if (!this.open || emitPreventable(this, 'close')) return;
    this.open = false;
    this.webContents.emit('destroyed');
    this.emit('closed');
  }
}

class FakeApp extends EventEmitter {
  readonly calls: string[] = [];
  readonly paths: Record<string, string> = {};
  readonly commandLine: { switches: Set<string>; hasSwitch(name: string): boolean; appendSwitch(name: string): void };
  readonly #windows: readonly FakeWindow[];
  readonly #locks: Set<string>;
  readonly #traits: EnvironmentTraits;
  #quitting = false;
  isPackaged = false;
  locale = 'en-GB';
  exitCode: number | undefined;

  constructor(windows: readonly FakeWindow[], { traits, locks }: { traits: EnvironmentTraits; locks: Set<string> }) {
    super();
    this.#windows = windows;
    this.#locks = locks;
    this.#traits = traits;
    const set = new Set(traits.switches);
    this.commandLine = {
      switches: set,
      hasSwitch: (name) => set.has(name),
      appendSwitch: (name) => void set.add(name),
    };
  }

  getVersion = (): string => '1.2.3';
  setPath = (name: string, path: string): void => {
    if (!isAbsolute(path) || !statSync(path).isDirectory()) throw new Error(`Failed to set path '${name}'`);
    this.calls.push(`setPath ${name}`);
    this.paths[name] = path;
  };
  setAppUserModelId = (id: string): void => void this.calls.push(`setAppUserModelId ${id}`);
  disableHardwareAcceleration = (): void => void this.calls.push('disableHardwareAcceleration');
  getLocale = (): string => this.locale;
  setAsDefaultProtocolClient = (scheme: string): boolean => this.calls.push(`protocol ${scheme}`) > 0;
  relaunch = ({ execPath, args = [] }: { execPath: string; args?: string[] }): void =>
    void this.calls.push(['relaunch', execPath, ...args].join(' '));
  enableSandbox = (): void => void this.calls.push('enableSandbox');
  /** The lock is a symbolic link in `userData`, as Chromium's is on macOS and Linux. */
  requestSingleInstanceLock = (): boolean => {
    const place = this.paths['userData']!;
    if (this.#traits.lockFails || this.#locks.has(place)) return false;
    symlinkSync('host-1', join(place, 'SingletonLock'));
    this.#locks.add(place);
    return true;
  };
  whenReady = (): Promise<void> => {
    this.calls.push('whenReady');
    return Promise.resolve();
  };
  /** Emits `before-quit`, closes the windows and ends. A listener that prevents one of these events stops that. */
  quit = (): void => {
    this.calls.push('quit');
    if (emitPreventable(this, 'before-quit')) return;
    this.#quitting = true;
    this.#windows.forEach((window) => window.close());
    this.#quitting = false;
    if (this.#windows.every(({ open }) => !open)) this.exit(0);
  };
  windowClosed(): void {
    if (!this.#quitting && this.#windows.every(({ open }) => !open)) this.emit('window-all-closed');
  }
  exit = (code: number): void => {
    this.exitCode = code;
    this.emit('quit');
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
  readonly traits: EnvironmentTraits;
  readonly windows: FakeWindow[] = [];
  readonly app: FakeApp;
  readonly powerMonitor = new EventEmitter();
  /** Power save blockers that are active. */
  readonly blockers = new Map<number, string>();
  readonly ipcMain = new EventEmitter();
  readonly opened: string[] = [];
  readonly errorBoxes: string[] = [];
  readonly messageBoxes: MessageBoxOptions[] = [];
  /** The window that each message box is modal to. */
  readonly parents: (WindowPart | undefined)[] = [];
  /** The buttons that are pressed, box by box; the last one's number where there are no more. */
  readonly answers: number[] = [];
  readonly privileged: { scheme: string; privileges: Record<string, boolean> }[] = [];
  readonly handlers = new Map<string, (request: Request) => Promise<Response>>();
  readonly permissions: Parameters<ElectronParts['session']['defaultSession']['setPermissionRequestHandler']>[0][] = [];
  menu: unknown;
  readonly contextMenus: MenuItemConstructorOptions[][] = [];
  /** The contents that each context menu was opened for. */
  readonly contextMenuOwners: WebContentsPart[] = [];
  /** What macOS answers when it is asked for the microphone. */
  microphone: Promise<boolean>;
  microphoneRequests = 0;
  beforeRequest: Parameters<ElectronParts['session']['defaultSession']['webRequest']['onBeforeRequest']>[0] | undefined;
  permissionCheck: Parameters<ElectronParts['session']['defaultSession']['setPermissionCheckHandler']>[0] | undefined;
  devicePermission: (() => boolean) | undefined;

  /** `locks`: the instance locks of this machine; those of one fake unless shared. */
  constructor({
    environment = 'linux',
    locks = new Set(),
  }: { environment?: FakeEnvironment; locks?: Set<string> } = {}) {
    this.traits = environments[environment];
    this.microphone = Promise.resolve(this.traits.microphone);
    this.app = new FakeApp(this.windows, { traits: this.traits, locks });
  }

  readonly utilityProcess: UtilityProcessPart = {
    fork: (modulePath, args, options) => {
      if (!this.app.calls.includes('whenReady'))
        throw new Error('utilityProcess.fork was called before the app was ready.');
      return startFakeUtility(modulePath, args, options);
    },
  };
  readonly powerSaveBlocker = {
    start: (type: string): number => {
      const id = this.blockers.size + 1;
      this.blockers.set(id, type);
      return id;
    },
    stop: (id: number): boolean => this.blockers.delete(id),
  };
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
    showMessageBox: (options: MessageBoxOptions, parent?: WindowPart): Promise<{ response: number }> => {
      this.messageBoxes.push(options);
      this.parents.push(parent);
      return Promise.resolve({ response: this.answers.shift() ?? (options.buttons?.length ?? 1) - 1 });
    },
  };
  popUpMenu = (template: MenuItemConstructorOptions[], contents: WebContentsPart): void => {
    this.contextMenus.push(template);
    this.contextMenuOwners.push(contents);
  };
  setMenu = (template: unknown): void => void (this.menu = template);

  createWindow = (options: BrowserWindowConstructorOptions): FakeWindow => {
    const window = new FakeWindow(options, this.traits);
    this.windows.push(window);
    window.on('closed', () => this.app.windowClosed());
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

  /**
   * The system shuts down, as Electron reports it on this platform. Returns whether the app delays the shutdown until the
   * app has quit.
   */
  shutDownSystem(): boolean {
    if (this.traits.platform === 'win32') {
      const open = this.windows.filter((window) => window.open);
      const refused = open.some((window) => emitPreventable(window, 'query-session-end'));
      if (!refused && !this.traits.shutdownCancelled) open.forEach((window) => window.emit('session-end', {}));
      // The system then ends the process: the app gets no `before-quit`.
      return refused;
    }
    const delayed = emitPreventable(this.powerMonitor, 'shutdown');
    // AppKit asks the app to terminate, which Electron turns into `before-quit`.
    if (this.traits.platform === 'darwin' && !emitPreventable(this.app, 'before-quit')) this.app.exit(0);
    return delayed;
  }
}

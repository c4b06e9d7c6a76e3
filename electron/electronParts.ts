/**
 * The parts of Electron that the shell uses, as narrow as it uses them. main.ts passes the real ones, and the compiler
 * sees that they fit; tests/electron/fakeElectron.ts is the one fake.
 */
import type {
  BrowserWindowConstructorOptions,
  EditFlags,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  MessagePortMain,
  Rectangle,
} from 'electron';

import type { FrameNavigation, FrameRequest } from './appSandbox.ts';
import type { PortLike } from '../src-core/rpc/portWire.ts';

export interface PreventableEvent {
  preventDefault(): void;
}

export interface FramePart {
  readonly url: string;
  /** Null for a window's own frame. */
  readonly parent: object | null;
  readonly detached: boolean;
  postMessage(channel: string, message: unknown, transfer: MessagePortMain[]): void;
}

export interface NavigationDetails {
  isMainFrame: boolean;
  isSameDocument: boolean;
}

/** What the `context-menu` event says about the clicked element. */
export interface ContextMenuDetails {
  isEditable: boolean;
  /** Empty if nothing is selected. */
  selectionText: string;
  editFlags: Pick<EditFlags, 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'>;
}

/** How a Chromium process ended. */
export interface ProcessGoneDetails {
  reason: string;
  exitCode: number;
}

export interface WebContentsPart {
  readonly mainFrame: FramePart;
  on(event: 'will-navigate' | 'will-attach-webview', listener: (event: PreventableEvent) => void): unknown;
  on(event: 'will-frame-navigate', listener: (event: FrameNavigation) => void): unknown;
  /** Not emitted if the page called `preventDefault()` on the DOM event, as Monaco and our own menus do. */
  on(event: 'context-menu', listener: (event: unknown, details: ContextMenuDetails) => void): unknown;
  on(event: 'did-start-navigation', listener: (details: NavigationDetails) => void): unknown;
  on(event: 'did-finish-load' | 'did-fail-load' | 'destroyed', listener: () => void): unknown;
  on(event: 'render-process-gone', listener: (event: unknown, details: ProcessGoneDetails) => void): unknown;
  getZoomLevel(): number;
  setZoomLevel(level: number): void;
  reload(): void;
  toggleDevTools(): void;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
  setWebRTCIPHandlingPolicy(policy: 'disable_non_proxied_udp'): void;
}

export interface WindowPart {
  readonly webContents: WebContentsPart;
  on(event: 'close', listener: (event: PreventableEvent) => void): unknown;
  /** `session-end`: Windows ends the session. `before-quit` is not emitted then. */
  on(event: 'closed' | 'resize' | 'move' | 'focus' | 'session-end', listener: () => void): unknown;
  once(event: 'ready-to-show', listener: () => void): unknown;
  loadURL(url: string): Promise<void>;
  getNormalBounds(): Rectangle;
  isMaximized(): boolean;
  isMinimized(): boolean;
  isFullScreen(): boolean;
  setFullScreen(full: boolean): void;
  maximize(): void;
  minimize(): void;
  close(): void;
  restore(): void;
  show(): void;
  focus(): void;
}

export interface SessionPart {
  readonly webRequest: {
    onBeforeRequest(listener: (details: FrameRequest, answer: (response: { cancel: boolean }) => void) => void): void;
  };
  setPermissionRequestHandler(
    handler: (
      contents: unknown,
      permission: string,
      answer: (granted: boolean) => void,
      details: { requestingUrl: string; isMainFrame: boolean; mediaTypes?: readonly string[] },
    ) => void,
  ): void;
  setPermissionCheckHandler(
    handler: (
      contents: unknown,
      permission: string,
      origin: string,
      details: { isMainFrame: boolean; mediaType?: string },
    ) => boolean,
  ): void;
  setDevicePermissionHandler(handler: () => boolean): void;
}

export interface IpcEvent {
  readonly sender: WebContentsPart;
  /** Null if the frame has navigated or was removed in the meantime. */
  readonly senderFrame: FramePart | null;
}

export interface IpcPart {
  on(channel: string, listener: (event: IpcEvent, message: unknown) => void): unknown;
}

/** Shows a message box above the window used last, and resolves to the index of the pressed button. */
export type ShowMessage = (options: MessageBoxOptions) => Promise<{ response: number }>;

/** The asynchronous methods of `safeStorage`. Electron 46 removes the synchronous ones. */
export interface SafeStoragePart {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(encrypted: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>;
}

/** A process of Node that Chromium starts. */
export interface UtilityChildPart {
  readonly stderr: { on(event: 'data', listener: (data: Buffer | string) => void): unknown } | null;
  postMessage(message: unknown): void;
  /** Returns false, and does nothing, before `spawn`. */
  kill(): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'spawn', listener: () => void): unknown;
  /** V8 cannot continue; `exit` follows. */
  on(event: 'error', listener: (type: string, location: string) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

export interface UtilityProcessPart {
  fork(
    modulePath: string,
    args: string[],
    options: { env: Record<string, string>; execArgv: string[]; serviceName: string; stdio: ('ignore' | 'pipe')[] },
  ): UtilityChildPart;
}

/** macOS only: elsewhere the method does not exist. */
export interface SystemPreferencesPart {
  /** Asks the user the first time and resolves to the recorded decision afterwards. */
  askForMediaAccess(mediaType: 'microphone'): Promise<boolean>;
}

export interface ElectronParts {
  app: {
    readonly isPackaged: boolean;
    /** The command line as Chromium reads it. */
    readonly commandLine: { hasSwitch(name: string): boolean; appendSwitch(name: string): void };
    /** Throws unless the folder exists and its path is absolute. Only before `requestSingleInstanceLock`, which locks it. */
    setPath(name: 'userData', path: string): void;
    /** Windows: the identity of notices and of the icon in the taskbar. */
    setAppUserModelId(id: string): void;
    disableHardwareAcceleration(): void;
    getVersion(): string;
    /** The system's language, such as `zh-CN`. */
    getLocale(): string;
    setAsDefaultProtocolClient(scheme: string): boolean;
    enableSandbox(): void;
    /** False if another instance has the lock in `userData`, and also if the lock cannot be created. */
    requestSingleInstanceLock(): boolean;
    whenReady(): Promise<unknown>;
    quit(): void;
    exit(code: number): void;
    /** Starts the app again, from this file, when it has ended. Without `args` it gets the current command line. */
    relaunch(options: { execPath: string; args?: string[] }): void;
    on(event: 'activate' | 'window-all-closed' | 'quit', listener: () => void): unknown;
    on(event: 'second-instance', listener: (event: unknown, argv: string[], cwd: string) => void): unknown;
    /** macOS: a path, or a link of our scheme. */
    on(event: 'open-file' | 'open-url', listener: (event: PreventableEvent, target: string) => void): unknown;
    on(event: 'before-quit', listener: (event: PreventableEvent) => void): unknown;
    /** A Chromium process other than a page's, such as the GPU process. */
    on(
      event: 'child-process-gone',
      listener: (event: unknown, details: ProcessGoneDetails & { type: string; name?: string }) => void,
    ): unknown;
    on(event: 'web-contents-created', listener: (event: unknown, contents: WebContentsPart) => void): unknown;
  };
  protocol: {
    registerSchemesAsPrivileged(schemes: { scheme: string; privileges: Record<string, boolean> }[]): void;
    handle(scheme: string, handler: (request: Request) => Promise<Response>): void;
  };
  session: { readonly defaultSession: SessionPart };
  systemPreferences: SystemPreferencesPart;
  ipcMain: IpcPart;
  shell: { openExternal(url: string): Promise<void> };
  nativeTheme: { themeSource: 'system' | 'light' | 'dark'; readonly shouldUseDarkColors: boolean };
  screen: { getDisplayMatching(bounds: Rectangle): { workArea: Rectangle } };
  powerMonitor: {
    /** macOS and Linux. `preventDefault()` delays the system's shutdown until the app has quit. */
    on(event: 'shutdown', listener: (event: PreventableEvent) => void): unknown;
    on(event: 'resume', listener: () => void): unknown;
  };
  powerSaveBlocker: { start(type: 'prevent-app-suspension'): number; stop(id: number): boolean };
  dialog: {
    showErrorBox(title: string, text: string): void;
    /**
     * With a parent the box is modal to it. `signal` closes the box, which resolves to `cancelId`; on macOS only a box with a
     * parent, since a box without one blocks the main process.
     */
    showMessageBox(options: MessageBoxOptions, parent: WindowPart | undefined): Promise<{ response: number }>;
  };
  setMenu(template: MenuItemConstructorOptions[]): void;
  /** Opens a context menu at the pointer, in the window of these contents. */
  popUpMenu(template: MenuItemConstructorOptions[], contents: WebContentsPart): void;
  createWindow(options: BrowserWindowConstructorOptions): WindowPart;
  createChannel(): { port1: PortLike; port2: MessagePortMain };
}

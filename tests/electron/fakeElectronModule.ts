/** The fake as the module `electron`, for the built main process: `node --import ./fakeElectronHook.ts dist/electron/main.js`. */
import { FakeElectron, FakeSafeStorage } from './fakeElectron.ts';

const fake = new FakeElectron();

export const {
  app,
  dialog,
  ipcMain,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  shell,
  systemPreferences,
  utilityProcess,
} = fake;
export const safeStorage = new FakeSafeStorage();
export const Menu = { buildFromTemplate: (template: unknown) => template, setApplicationMenu: fake.setMenu };
/** Called with `new`: what a function returns then is the value. */
export const BrowserWindow = function (options: Parameters<typeof fake.createWindow>[0]) {
  return fake.createWindow(options);
};
export const MessageChannelMain = function () {
  return fake.createChannel();
};

app.on('exited', () => process.exit(app.exitCode));

import { useDebounceFn, useElementSize, useThrottleFn, useTimeoutFn } from '@vueuse/core';
import { computed, onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue';

import { useConnection } from '../../../client/connectionStore.ts';
import { useClient } from '../../../client/useClient.ts';
import type { AppContent, JsonObject } from '../../../../src-core/contract/types.ts';
import { createAppBridge, type AppBridge, type AppHost } from './appBridge.ts';
import { maxAppHeight, useAppContext } from './appContext.ts';

/** ms after which an App that has not begun the protocol is reported. */
const slowMs = 10_000;
/** px of an App in a chat that does not say how high it is. */
const usualHeight = 240;
const minHeight = 40;
/** ms between two changes of the height. */
const resizeMs = 100;
/** Questions of an App that may wait behind the one that is shown. */
const maxQuestions = 5;

/** What is shown: the App of a call's tool, or one that a server lists. */
export type AppTarget = { callId: string } | { serverId: string; uri: string };

/** What an App asks of the user. */
export interface AppQuestion {
  /** Its number: two questions may have the same text. */
  id: number;
  kind: 'link' | 'message';
  /** The URL, or the text. */
  text: string;
  answer: (allowed: boolean) => void;
}

type Phase =
  | { phase: 'loading' | 'starting' | 'started' | 'closed' }
  /** It declares hosts or permissions, and waits for the user. */
  | { phase: 'asks' }
  | { phase: 'failed'; message: string }
  /** The sandbox has stopped it. */
  | { phase: 'stopped'; reason: string };

interface UseAppOptions {
  target: AppTarget;
  fills: boolean;
  holder: Ref<HTMLElement | null>;
  /** Takes text into a chat. */
  takeMessage?: ((text: string) => void) | undefined;
}

/** What the user has agreed to since the window was opened: the permissions, by App and what it declares. */
const agreed = new Map<string, AppContent['permissions']>();

/** What an App asks, one question after the other. */
function createQuestions() {
  const questions = shallowRef<readonly AppQuestion[]>([]);
  let asked = 0;
  return {
    questions,
    ask(kind: AppQuestion['kind'], text: string, signal: AbortSignal): Promise<boolean> {
      if (questions.value.length > maxQuestions) return Promise.resolve(false);
      return new Promise((resolve) => {
        const question: AppQuestion = {
          id: (asked += 1),
          kind,
          text,
          answer(allowed) {
            questions.value = questions.value.filter((each) => each !== question);
            resolve(allowed);
          },
        };
        signal.addEventListener('abort', () => question.answer(false), { once: true });
        questions.value = [...questions.value, question];
      });
    },
    refuseAll(): void {
      for (const question of questions.value) question.answer(false);
    },
  };
}

/** A frame of the sandbox with its App, in an element. */
function openFrame(options: {
  origin: string;
  app: AppContent;
  permissions: AppContent['permissions'];
  hostVersion: string;
  context: () => JsonObject;
  host: Omit<AppHost, 'sandboxReady'>;
}): { frame: HTMLIFrameElement; bridge: AppBridge; end: () => void } {
  const { origin, app, permissions, host } = options;
  const frame = createFrame({ origin, app, permissions });
  const post = (text: string): void => frame.contentWindow?.postMessage(text, origin);
  let isOpen = false;
  function sandboxReady(): void {
    if (isOpen) return;
    isOpen = true;
    const params = { html: app.html, permissions };
    post(JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params }));
  }
  const bridge = createAppBridge({ ...options, post, host: { ...host, sandboxReady } });
  const onMessage = ({ source, origin: from, data }: MessageEvent): void => {
    if (source === frame.contentWindow && from === origin) bridge.receive(data);
  };
  window.addEventListener('message', onMessage);
  return {
    frame,
    bridge,
    end() {
      window.removeEventListener('message', onMessage);
      bridge.close();
      frame.remove();
    },
  };
}

/** What an App asks of its server, and of the user. */
function hostOf(
  { serverId, uri }: AppContent,
  options: {
    client: ReturnType<typeof useClient>;
    ask: ReturnType<typeof createQuestions>['ask'];
    takeMessage: ((text: string) => void) | undefined;
  },
): Pick<AppHost, 'callTool' | 'readResource' | 'openLink' | 'takeMessage' | 'log'> {
  const { client, ask, takeMessage } = options;
  return {
    callTool: (tool, args, signal) => client.apps.call({ serverId, uri, tool, args }, { signal }),
    readResource: (resource, signal) => client.servers.readResource({ id: serverId, uri: resource }, { signal }),
    openLink: (url, signal) => ask('link', url.href, signal),
    ...(takeMessage && {
      async takeMessage(text, signal) {
        const isTaken = await ask('message', text, signal);
        if (isTaken) takeMessage(text);
        return isTaken;
      },
    }),
    // A message that cannot be logged concerns nobody else.
    log: (message) => void client.apps.log({ serverId, ...message }).catch(() => undefined),
  };
}

/**
 * An App in a frame of the sandbox. `holder` is the element that holds the frame; the App grows with its content in it unless `fills` is
 * set.
 */
export function useApp({ target, fills, holder, takeMessage }: UseAppOptions) {
  const [client, connection] = [useClient(), useConnection()];
  const state = shallowRef<Phase>({ phase: 'loading' });
  const content = shallowRef<AppContent>();
  const { questions, ask, refuseAll } = createQuestions();
  let running: ReturnType<typeof openFrame> | undefined;
  let loading: AbortController | undefined;
  const isSlow = useSlow(() => state.value.phase === 'starting');
  const { height, context, resize } = usePlace({
    fills,
    holder,
    onChange: (now) => running?.bridge.contextChanged(now),
  });

  async function load(): Promise<void> {
    await close();
    const mine = new AbortController();
    loading = mine;
    state.value = { phase: 'loading' };
    try {
      const opened = await client.apps.open(target, { signal: mine.signal });
      if (mine.signal.aborted) return;
      const now = isDesktop ? { ...opened, permissions: [] } : opened;
      content.value = now;
      const before = agreed.get(keyOf(now));
      if (before === undefined && declaresAnything(now)) state.value = { phase: 'asks' };
      else start(before ?? []);
    } catch (cause) {
      if (mine.signal.aborted) return;
      state.value = { phase: 'failed', message: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  /** The user has agreed to what it declares, with these permissions. */
  function start(permissions: AppContent['permissions']): void {
    const app = content.value;
    const origin = app && sandboxOf(app);
    if (app === undefined || origin === undefined || holder.value === null) return;
    agreed.set(keyOf(app), permissions);
    const host = {
      ...hostOf(app, { client, ask, takeMessage }),
      resize,
      started: () => (state.value = { phase: 'started' }),
      ended: () => void close(),
      stopped(reason: string) {
        end();
        state.value = { phase: 'stopped', reason };
      },
    };
    running = openFrame({ origin, app, permissions, hostVersion: connection.info?.version ?? '', context, host });
    state.value = { phase: 'starting' };
    holder.value.append(running.frame);
  }

  function end(): void {
    running?.end();
    running = undefined;
    refuseAll();
  }

  /** Has the App end, then removes it. */
  async function close(): Promise<void> {
    loading?.abort();
    const { bridge } = running ?? {};
    await bridge?.teardown();
    if (running?.bridge !== bridge) return;
    end();
    state.value = { phase: 'closed' };
  }

  onBeforeUnmount(() => {
    loading?.abort();
    const left = running;
    running = undefined;
    end();
    if (left) leave(left);
  });
  void load();
  return { state, content, height, questions, isSlow, load, agree: start, close };
}

/** Whether `waits` has been true for ten seconds. */
function useSlow(waits: () => boolean): Ref<boolean> {
  const isSlow = ref(false);
  const timer = useTimeoutFn(() => (isSlow.value = true), slowMs, { immediate: false });
  watch(waits, (now) => {
    isSlow.value = false;
    if (now) timer.start();
    else timer.stop();
  });
  return isSlow;
}

/** The place of an App in the window. */
function usePlace(options: {
  fills: boolean;
  holder: Ref<HTMLElement | null>;
  onChange: (changes: JsonObject) => void;
}): { height: Ref<number>; context: () => JsonObject; resize: AppHost['resize'] } {
  const { fills, holder, onChange } = options;
  const height = ref(usualHeight);
  const { width, height: holderHeight } = useElementSize(holder);
  const place = computed(() => ({
    width: Math.round(width.value),
    ...(fills && { height: Math.round(holderHeight.value) }),
  }));
  const changed = useDebounceFn(onChange, resizeMs);
  const context = useAppContext({ place, onChange: (changes) => void changed(changes) });
  const apply = useThrottleFn((wanted: number) => (height.value = wanted), resizeMs, true);
  return {
    height,
    context,
    resize({ height: wanted }) {
      if (!fills && wanted !== undefined) void apply(Math.round(Math.min(maxAppHeight, Math.max(minHeight, wanted))));
    },
  };
}

/** Has an App end whose place in the window is removed now. Its calls are cancelled at once. */
function leave({ frame, bridge, end }: ReturnType<typeof openFrame>): void {
  bridge.cancelAll();
  keepConnected(frame);
  void bridge.teardown().then(end);
}

function keyOf({ serverId, uri, csp, permissions }: AppContent): string {
  return JSON.stringify([serverId, uri, csp, permissions]);
}

function declaresAnything({ csp, permissions }: AppContent): boolean {
  return permissions.length > 0 || Object.values(csp).some((sources) => sources.length > 0);
}

/** The desktop app grants no permissions to Apps. */
const isDesktop = location.protocol === 'app:';

/** The origin of the sandbox: a scheme of its own in the desktop app, a port of its own in a browser. */
function sandboxOf({ sandbox }: AppContent): string | undefined {
  return isDesktop ? 'mcp-app://sandbox' : sandbox;
}

/** The frame of the sandbox. */
function createFrame(options: {
  origin: string;
  app: AppContent;
  permissions: AppContent['permissions'];
}): HTMLIFrameElement {
  const { origin, app, permissions } = options;
  const frame = document.createElement('iframe');
  // Its own origin, which is not ours: the page in it has to run, and to hold the App.
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  frame.allow = permissions.map((feature) => `${feature} ${origin}`).join('; ');
  frame.title = app.uri;
  const query = new URLSearchParams({ host: location.origin, csp: JSON.stringify(app.csp) });
  frame.src = `${origin}/?${query.toString()}`;
  return frame;
}

/** Moves a frame out of an element that is removed now, without loading it again, if the browser can. */
function keepConnected(frame: HTMLIFrameElement): void {
  const body = document.body as HTMLElement & { moveBefore?: (node: Node, child: Node | null) => void };
  frame.hidden = true;
  if (frame.isConnected) body.moveBefore?.(frame, null);
}

import { sandboxPage } from '../src-core/mcp/apps/sandboxPage.ts';
import { appHost, appScheme } from './appScheme.ts';

/** The scheme of the page in which MCP Apps run: an origin of its own, without our files and without a preload. */
export const sandboxScheme = 'mcp-app';
export const sandboxOrigin = `${sandboxScheme}://sandbox`;

/** Answers with the page of the sandbox, and with nothing else. */
export function serveSandbox(request: Request): Promise<Response> {
  const { host, pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || `${sandboxScheme}://${host}` !== sandboxOrigin || !['', '/'].includes(pathname))
    return Promise.resolve(new Response('Nothing is served here.', { status: 404 }));
  const { headers, body } = sandboxPage(searchParams, [`${appScheme}://${appHost}`]);
  return Promise.resolve(new Response(body, { headers }));
}

/** A frame, as far as its place in the page matters. */
export interface FramePlace {
  readonly url: string;
  readonly parent: FramePlace | null;
}

/** Whether a frame is the sandbox or one of the frames in it, whose requests the policy of the App bounds. */
function isInSandbox(frame: FramePlace | null | undefined): boolean {
  for (let at = frame; at; at = at.parent) if (isSandboxUrl(at.url)) return true;
  return false;
}

/** Whether a URL is the page of the sandbox. By text: see `isPageUrl`. */
function isSandboxUrl(url: string): boolean {
  return url.split(/[?#]/, 1)[0] === `${sandboxOrigin}/`;
}

/** A request, and the frame that makes it. */
export interface FrameRequest {
  url: string;
  frame?: FramePlace | null;
}

/** Where a frame wants to navigate. `frame` is null if it has navigated or was removed in the meantime. */
export interface FrameNavigation {
  readonly url: string;
  readonly isMainFrame: boolean;
  readonly frame: FramePlace | null;
  preventDefault(): void;
}

/** Prevents navigation outside of the sandbox. In it, the policy of the App decides (`frame-src`). */
export function guardFrame(navigation: FrameNavigation): void {
  const { url, isMainFrame, frame } = navigation;
  if (isMainFrame || !(isSandboxUrl(url) || isInSandbox(frame?.parent))) navigation.preventDefault();
}

/** Whether a request is one of an App, or loads the sandbox. */
export function isOfApp(url: string, frame: FramePlace | null | undefined): boolean {
  return isSandboxUrl(url) || (isInSandbox(frame) && /^(https?|wss?|blob):/.test(url));
}

import { isJsonObject, type JsonValue } from '../../base/json.ts';

const members = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

/** The hosts that an App declares, as sources of a content security policy: `https://api.example.com`, `https://*.example.com`. */
export type AppCsp = Record<(typeof members)[number], string[]>;

const maxEach = 50;
const maxLength = 200;
/** Characters of all sources together: they are part of a URL and of a header. */
const maxInAll = 6_000;

/**
 * Reads `_meta.ui.csp` of an App. `refused` are the entries that cannot be a source: whole schemes, keywords, wildcards of everything,
 * text that would end a directive.
 */
export function readAppCsp(declared: JsonValue | undefined): { csp: AppCsp; refused: string[] } {
  const csp: AppCsp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
  const refused: string[] = [];
  let length = 0;
  for (const member of members) {
    const entries = declared !== undefined && isJsonObject(declared) ? declared[member] : undefined;
    for (const entry of Array.isArray(entries) ? entries.slice(0, 2 * maxEach) : []) {
      const source = typeof entry === 'string' ? sourceOf(entry.trim()) : undefined;
      const fits = csp[member].length < maxEach && length + (source?.length ?? 0) <= maxInAll;
      if (source === undefined || !fits) refused.push(String(entry).slice(0, maxLength));
      else if (!csp[member].includes(source)) {
        csp[member].push(source);
        length += source.length;
      }
    }
  }
  return { csp, refused };
}

/** The source that an entry means. A host without a scheme is one of https. */
function sourceOf(entry: string): string | undefined {
  if (entry.length > maxLength) return undefined;
  const [, scheme = 'https', star = '', host = '', port = '', path = ''] =
    /^(?:(https?|wss?):\/\/)?(\*\.)?([a-z0-9][a-z0-9.-]*)(:\d{1,5}|:\*)?(\/[\w./~%-]*)?$/i.exec(entry) ?? [];
  if (host === '' || host.endsWith('.') || host.includes('..')) return undefined;
  // `https://*.com` would allow every host of a top-level domain.
  if (star !== '' && !host.includes('.')) return undefined;
  return `${scheme}://${star}${host}${port}${path}`.replace(/\/$/, '');
}

/**
 * The policy of an App: itself, and the hosts that it declares. Its page comes as text, so that `'self'` would mean the page around it,
 * and is omitted. `ancestors` are the origins that may embed it.
 */
export function appContentSecurityPolicy(csp: AppCsp, ancestors: readonly string[]): string {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = csp;
  const orNone = (sources: readonly string[]): string => (sources.length === 0 ? "'none'" : sources.join(' '));
  const resources = ['', ...resourceDomains].join(' ');
  return [
    "default-src 'none'",
    `script-src 'unsafe-inline' blob:${resources}`,
    `style-src 'unsafe-inline'${resources}`,
    `img-src data: blob:${resources}`,
    `font-src data:${resources}`,
    `media-src data: blob:${resources}`,
    'worker-src blob:',
    `connect-src ${orNone(connectDomains)}`,
    `frame-src ${orNone(frameDomains)}`,
    "object-src 'none'",
    `base-uri ${orNone(baseUriDomains)}`,
    "form-action 'none'",
    `frame-ancestors ${orNone(ancestors)}`,
  ].join('; ');
}

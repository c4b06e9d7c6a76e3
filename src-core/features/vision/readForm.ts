/** A part of a form. */
export interface FormPart {
  data: Buffer;
  /** Set if the part is a file. */
  fileName?: string;
}

/** A form by the names of its parts, the first of each name; or a sentence that says why it is invalid. */
export type ReadForm = Map<string, FormPart> | string;

const maxParts = 16;
const maxHeaderBytes = 4_096;
const lineEnd = '\r\n';

/**
 * Reads a complete body of multipart/form-data, as boards and py-xiaozhi post it (docs/protocols/xiaozhi.md#vision).
 * The boundary is the one in Content-Type, however short: boards use one of 26 characters, which Node's own parser
 * refuses. Linear in the body's length; parts are views of it.
 */
export function readForm(body: Buffer, contentType: string | undefined): ReadForm {
  const boundary = boundaryOf(contentType ?? '');
  if (boundary === undefined) return 'The Content-Type must be multipart/form-data with a boundary.';
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`);
  const parts = new Map<string, FormPart>();
  let at = endOfFirst(body, delimiter);
  if (at < 0) return 'The body does not begin with its boundary.';
  for (let count = 0; body.toString('latin1', at, at + 2) !== '--'; count += 1) {
    if (count === maxParts) return `The form has more than ${maxParts} parts.`;
    const end = body.indexOf(delimiter, at);
    if (end < 0) return 'The form ended before its last boundary.';
    const problem = readPart(body.subarray(at, end), parts);
    if (problem !== undefined) return problem;
    at = end + delimiter.length;
  }
  return parts;
}

/** The index after the first delimiter, which may be at the very beginning without a line end before it; -1 if missing. */
function endOfFirst(body: Buffer, delimiter: Buffer): number {
  const bare = delimiter.subarray(lineEnd.length);
  if (body.subarray(0, bare.length).equals(bare)) return bare.length;
  const found = body.indexOf(delimiter);
  return found < 0 ? -1 : found + delimiter.length;
}

/** Adds a part: a line end, header lines, an empty line, data. Returns what is wrong with it. */
function readPart(part: Buffer, parts: Map<string, FormPart>): string | undefined {
  const head = part.subarray(0, maxHeaderBytes).indexOf(lineEnd + lineEnd);
  if (head < 0) return 'A part of the form has no end of its headers.';
  const headers = part.toString('utf8', 0, head);
  const name = parameter(headers, 'name');
  if (name === undefined || parts.has(name)) return undefined;
  const fileName = parameter(headers, 'filename');
  const data = part.subarray(head + 2 * lineEnd.length);
  parts.set(name, fileName === undefined ? { data } : { data, fileName });
  return undefined;
}

function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data\s*;(?:[^;]*;)*?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType.slice(0, 1_024),
  );
  return match?.[1] ?? match?.[2];
}

/** A parameter of the Content-Disposition. */
function parameter(headers: string, name: string): string | undefined {
  const line = headers.split(lineEnd).find((each) => /^content-disposition:\s*form-data\b/i.test(each));
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(line ?? '');
  return match?.[1] ?? match?.[2];
}

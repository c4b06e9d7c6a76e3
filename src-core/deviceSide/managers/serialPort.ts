import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { getSystemErrorMessage } from 'node:util';
import { OneAfterAnother } from '../../base/oneAfterAnother.ts';
import { checkOptions } from '../../base/checkOptions.ts';

/** A port to write to and read from. */
export interface SerialPort {
  readonly path: string;
  /**
   * Sends bytes and returns the answer: it ends after half a second without bytes, and is empty if none arrive within
   * `waitMs`. Exchanges run one after the other.
   */
  exchange: (options: { bytes: Uint8Array; waitMs: number; signal: AbortSignal }) => Promise<Uint8Array>;
}

/** ms of silence after which a read of the port ends: the terminal driver's own timer, in tenths of a second. */
const quietMs = 500;
const maxReplyBytes = 1_024;

export interface SerialPortOptions {
  /** `/dev/ttyS1`, `/dev/ttyUSB0` … */
  path: string;
  baud: number;
  /** What to do if it cannot be opened; added to the error. */
  hint?: string;
}

/**
 * A serial port of the system (Linux, macOS), raw, at so many baud. It is open only during an exchange.
 * @throws TypeError for an option that does not exist
 */
export function createSerialPort(options: SerialPortOptions): SerialPort {
  checkOptions('createSerialPort', options, { path: true, baud: true, hint: true });
  const { path } = options;
  const exchanges = new OneAfterAnother();
  return {
    path,
    exchange: (exchange) =>
      exchanges.run(async () => {
        exchange.signal.throwIfAborted();
        const port = await openPort(options);
        try {
          return await converse(port, exchange);
        } finally {
          await port.close();
        }
      }),
  };
}

/** Why a port cannot be used, as the text of a tool result. */
export function portError(path: string, error: unknown, hint = ''): Error {
  const { errno, message } = error as NodeJS.ErrnoException;
  const reason = errno === undefined ? message : getSystemErrorMessage(errno);
  return new Error(`无法打开串口 ${path}: ${reason.charAt(0).toUpperCase()}${reason.slice(1)}${hint}`, {
    cause: error,
  });
}

async function openPort({ path, baud, hint }: SerialPortOptions): Promise<FileHandle> {
  const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
  let probe: FileHandle | undefined;
  try {
    // Without waiting for a carrier; `stty` then says that there need be none.
    probe = await open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    await setUp(probe, baud);
    return await open(path, O_RDWR | O_NOCTTY);
  } catch (error) {
    throw portError(path, error, hint);
  } finally {
    await probe?.close();
  }
}

async function setUp(port: FileHandle, baud: number): Promise<void> {
  const settings = [String(baud), 'raw', '-echo', 'clocal', 'min', '0', 'time', String(quietMs / 100)];
  const stty = spawn('stty', settings, { stdio: [port.fd, 'ignore', 'pipe'] });
  const ended = once(stty, 'close');
  const [said, [code]] = await Promise.all([stty.stderr === null ? '' : text(stty.stderr), ended]);
  if (code !== 0) throw new Error(said.trim().slice(0, 200) || `stty ended with ${String(code)}`);
}

async function converse(
  port: FileHandle,
  { bytes, waitMs, signal }: { bytes: Uint8Array; waitMs: number; signal: AbortSignal },
): Promise<Uint8Array> {
  for (let sent = 0; sent < bytes.length;) sent += (await port.write(bytes, sent)).bytesWritten;
  const reply = Buffer.alloc(maxReplyBytes);
  let size = 0;
  for (let quiet = 0; quiet * quietMs < waitMs && size < reply.length;) {
    signal.throwIfAborted();
    const { bytesRead } = await port.read(reply, size, reply.length - size, null);
    size += bytesRead;
    if (bytesRead > 0) continue;
    if (size > 0) break;
    quiet += 1;
  }
  return Uint8Array.from(reply.subarray(0, size));
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';

import { checkOptions } from '../../base/checkOptions.ts';
import { McpTool } from '../mcp/mcpTool.ts';
import { Property, PropertyType } from '../mcp/property.ts';
import { PropertyList } from '../mcp/propertyList.ts';
import type { ToolManager } from '../mcp/toolManager.ts';
import { createSerialPort, type SerialPort } from './serialPort.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { createJsonStore } from './jsonStore.ts';

const maxBytes = 1_024;

const maxCodes = 256;

export interface IrManagerOptions {
  /** The port itself. Without it, `port` and `baud` or the environment's IR_SERIAL_PORT and IR_BAUD name one. */
  serial?: SerialPort;
  /** `/dev/ttyS1` by default. */
  port?: string;
  /** 9,600 by default. */
  baud?: number;
  /** Sends nothing, and learns codes that it makes up. The answers say so. */
  simulated?: boolean;
  /**
   * JSON file that keeps the codes, name → hexadecimal. By default `toolwire-device/ir-codes.json` in the user's folder
   * for data; with `simulated`, the codes end with the program.
   */
  codesFile?: string;
  /** Codes to begin with, as long as none were saved. */
  codes?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string | undefined>>;
}

const defaultPort = '/dev/ttyS1';
const defaultBaud = 9_600;
/** ms that a module may take to answer a code, and that the user may take to press a key. */
const replyMs = 500;
const learnMs = 10_000;
const portHint = '（默认串口，可用环境变量 IR_SERIAL_PORT 指定其他串口）';

/**
 * `self.ir.list_codes`, `send_named`, `send_hex` and `learn_external` (whose words the answers are). If the port
 * cannot be opened, sending and learning fail with the reason.
 * @throws TypeError if IR_BAUD is not a number, for `simulated` beside a port, and for an option that does not exist
 */
export function createIrManager(options: IrManagerOptions = {}): ToolManager {
  checkIrOptions(options);
  const { simulated = false, env = process.env } = options;
  const file = options.codesFile ?? (simulated ? undefined : dataFile('ir-codes.json', env));
  const codes = createIrCodes({ file, initial: options.codes ?? {} });
  const serial = simulated ? undefined : (options.serial ?? configuredPort(options));

  async function send(code: Uint8Array, signal: AbortSignal): Promise<string> {
    if (serial === undefined) return `已模拟发送 ${code.length} 字节`;
    const reply = await serial.exchange({ bytes: code, waitMs: replyMs, signal });
    return reply.length === 0 ? '发送成功（无回复）' : `发送成功，回复：${formatHex(reply)}`;
  }

  return {
    initTools(addTool) {
      addTool(
        new McpTool({
          name: 'self.ir.list_codes',
          description: '列出已保存的红外编码',
          callback: async () => {
            const names = [...(await codes.all()).keys()];
            return JSON.stringify({ port: serial?.path ?? null, simulated: serial === undefined, codes: names });
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.ir.send_named',
          description: '发送已保存的红外编码',
          properties: new PropertyList([new Property('name', PropertyType.STRING)]),
          callback: async ({ name }, { signal }) => {
            const code = (await codes.all()).get(String(name));
            if (code === undefined)
              throw new Error(`没有名为 "${String(name)}" 的红外编码，请先用 self.ir.list_codes 查看`);
            return send(readHex(code), signal);
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.ir.send_hex',
          description: '发送十六进制字符串形式的红外编码，例如 "A1 F1 04 FB 08"',
          properties: new PropertyList([new Property('hex', PropertyType.STRING)]),
          callback: ({ hex }, { signal }) => send(readHex(String(hex)), signal),
        }),
      );
      addTool(
        new McpTool({
          name: 'self.ir.learn_external',
          description: '等待遥控器按键（最多 10 秒），学习红外编码并以 name 保存',
          properties: new PropertyList([new Property('name', PropertyType.STRING)]),
          callback: async ({ name }, { signal }) => {
            codes.checkName(String(name));
            const code =
              serial === undefined
                ? Uint8Array.from(randomBytes(5))
                : await serial.exchange({ bytes: new Uint8Array(), waitMs: learnMs, signal });
            if (code.length === 0) throw new Error('学习超时：10 秒内没有收到红外信号');
            await codes.save(String(name), formatHex(code));
            return `${serial === undefined ? '已模拟学习并保存' : '已保存'} "${String(name)}"：${formatHex(code)}`;
          },
        }),
      );
    },
  };
}

function checkIrOptions(options: IrManagerOptions): void {
  checkOptions('createIrManager', options, {
    serial: true,
    port: true,
    baud: true,
    simulated: true,
    codesFile: true,
    codes: true,
    env: true,
  });
  if (options.simulated === true && (options.serial !== undefined || options.port !== undefined))
    throw new TypeError('createIrManager: "simulated" opens no port. Leave out "simulated", or "serial" and "port".');
}

function configuredPort({ port, baud, env = process.env }: IrManagerOptions): SerialPort {
  const named = port ?? env['IR_SERIAL_PORT'] ?? '';
  const said = env['IR_BAUD'] ?? '';
  const rate = baud ?? (said === '' ? defaultBaud : Number(said));
  if (!Number.isSafeInteger(rate) || rate <= 0)
    throw new TypeError(`IR_BAUD must be a whole number such as ${defaultBaud}; it is "${said}".`);
  if (named === '') return createSerialPort({ path: defaultPort, baud: rate, hint: portHint });
  return createSerialPort({ path: named, baud: rate });
}

/** The path of a file in the user's folder for the data of programs, as the operating system has it. */
function dataFile(name: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(dataFolder(env), 'toolwire-device', name);
}

function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (process.platform === 'win32') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  const said = env['XDG_DATA_HOME'] ?? '';
  return said === '' ? join(homedir(), '.local', 'share') : said;
}

/** Infrared codes by name, as hexadecimal text. @throws {Error} If one of `initial` is not a code. */
function createIrCodes({ file, initial }: { file: string | undefined; initial: Readonly<Record<string, string>> }) {
  const store = createJsonStore(file);
  for (const code of Object.values(initial)) readHex(code);

  const read = (value: JsonValue | undefined): Map<string, string> => {
    const codes = new Map<string, string>();
    if (value !== undefined && !isJsonObject(value))
      throw new Error(`${file ?? 'codes'} 必须是一个 JSON 对象：名称 → 编码`);
    for (const [name, code] of Object.entries(value ?? initial)) {
      if (typeof code !== 'string') throw new Error(`${file ?? 'codes'} 中 "${name}" 的编码不是字符串`);
      codes.set(name, code);
    }
    return codes;
  };

  return {
    all: async (): Promise<Map<string, string>> => read(await store.read()),
    /** @throws {Error} If the name is invalid. */
    checkName(name: string): void {
      if (name.trim() === '' || name.length > 64) throw new Error('"name" 必须有 1 到 64 个字符');
    },
    save: (name: string, code: string): Promise<void> =>
      store.update((value) => {
        const codes = read(value).set(name, code);
        if (codes.size > maxCodes) throw new Error(`最多保存 ${maxCodes} 个红外编码`);
        return Object.fromEntries(codes);
      }),
  };
}

/**
 * Bytes of a hexadecimal text: two digits a byte, with or without spaces, commas and `0x`.
 * @throws {Error} If it is not hexadecimal, or has more than 1,024 bytes.
 */
function readHex(text: string): Uint8Array {
  if (text.length > 8 * maxBytes) throw tooLong();
  const digits = text.replace(/0x/gi, '').replace(/[\s,]/g, '');
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits))
    throw new Error('"hex" 必须是十六进制字符串，每个字节两位，例如 "A1 F1 04 FB 08"');
  const bytes = Uint8Array.from(Buffer.from(digits, 'hex'));
  if (bytes.length > maxBytes) throw tooLong();
  return bytes;
}

/** `A1 F1 04`. */
function formatHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}

function tooLong(): Error {
  return new Error(`红外编码最多 ${maxBytes} 字节`);
}

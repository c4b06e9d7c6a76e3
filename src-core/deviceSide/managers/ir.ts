import { McpTool } from '../mcp/mcpTool.ts';
import { Property, PropertyType } from '../mcp/property.ts';
import { PropertyList } from '../mcp/propertyList.ts';
import type { ToolManager } from '../mcp/toolManager.ts';
import { formatHex, readHex } from './hexCode.ts';
import { createIrCodes } from './irCodes.ts';
import { createSerialPort, type SerialPort } from './serialPort.ts';

export interface IrManagerOptions {
  /** The port itself; else one is opened as `port` and `baud`, else as IR_SERIAL_PORT and IR_BAUD, say. */
  serial?: SerialPort;
  /** `/dev/ttyS1`, `/dev/ttyUSB0` … */
  port?: string;
  /** 9,600 where neither this nor IR_BAUD says another. */
  baud?: number;
  /** JSON file that keeps the codes, name → hexadecimal; they end with the program where there is none. */
  codesFile?: string;
  /** Codes to begin with, as long as none were saved. */
  codes?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string | undefined>>;
}

const defaultBaud = 9_600;
/** ms that a module may take to answer a code, and that a person may take to press a key. */
const replyMs = 500;
const learnMs = 10_000;
const notConfigured = '未配置串口，请设置环境变量 IR_SERIAL_PORT（例如 /dev/ttyS1）';

/**
 * `self.ir.list_codes`, `send_named`, `send_hex` and `learn_external` (seed 002, whose words the answers are). Without a
 * serial port sending is simulated, and the answer says so; learning fails.
 * @throws TypeError where IR_BAUD is no number.
 */
export function createIrManager(options: IrManagerOptions = {}): ToolManager {
  const codes = createIrCodes({ file: options.codesFile, initial: options.codes ?? {} });
  const serial = options.serial ?? configuredPort(options);

  async function send(code: Uint8Array, signal: AbortSignal): Promise<string> {
    if (serial === undefined) return `已模拟发送 ${code.length} 字节：${notConfigured}`;
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
            if (serial === undefined) throw new Error(`无法学习：${notConfigured}`);
            codes.checkName(String(name));
            const code = await serial.exchange({ bytes: new Uint8Array(), waitMs: learnMs, signal });
            if (code.length === 0) throw new Error('学习超时：10 秒内没有收到红外信号');
            await codes.save(String(name), formatHex(code));
            return `已保存 "${String(name)}"：${formatHex(code)}`;
          },
        }),
      );
    },
  };
}

function configuredPort({ port, baud, env = process.env }: IrManagerOptions): SerialPort | undefined {
  const path = port ?? env['IR_SERIAL_PORT'] ?? '';
  if (path === '') return undefined;
  const said = env['IR_BAUD'] ?? '';
  const rate = baud ?? (said === '' ? defaultBaud : Number(said));
  if (!Number.isSafeInteger(rate) || rate <= 0)
    throw new TypeError(`IR_BAUD must be a whole number such as ${defaultBaud}; it is "${said}".`);
  return createSerialPort({ path, baud: rate });
}

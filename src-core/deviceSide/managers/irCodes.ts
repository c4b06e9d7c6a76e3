import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { readHex } from './hexCode.ts';
import { createJsonStore } from './jsonStore.ts';

const maxCodes = 256;

/**
 * Infrared codes by name, as hexadecimal text.
 * @throws {Error} If one of `initial` is not a code.
 */
export function createIrCodes({
  file,
  initial,
}: {
  file: string | undefined;
  initial: Readonly<Record<string, string>>;
}) {
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

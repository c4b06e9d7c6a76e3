/** What is wrong with a module, in Chinese. */
import { expect, test } from 'vitest';

import { createWording } from '../../../renderer/i18n/engine/createWording.ts';
import { engineTexts } from '../../../renderer/i18n/engine/zh/index.ts';

const word = createWording(engineTexts);

test.each([
  [
    'dice.js:3 method "roll" has an inputSchema that does not describe an object. Write `inputSchema: { type: \'object\', properties: { … } }`. It is loaded again when the file is saved.',
    "dice.js:3 方法“roll”的 inputSchema 描述的不是对象。请写成 `inputSchema: { type: 'object', properties: { … } }`。保存文件后会重新加载。",
  ],
  [
    "my dice.js:3:7 has a syntax error: Expected ',', got 'x'. Remove it. Correct the line. It is loaded again when the file is saved.",
    "my dice.js:3:7 有语法错误：“Expected ',', got 'x'. Remove it”。请改正这一行。保存文件后会重新加载。",
  ],
  [
    'dice.js:1 threw an error while loading: No key. Set one. Correct what the file does at its top level. It is loaded again when the file is saved.',
    'dice.js:1 在加载时抛出了错误：“No key. Set one”。请改正文件顶层执行的内容。保存文件后会重新加载。',
  ],
  [
    'The module used more than its 64 MB of memory. The next call restarts it.',
    '模块使用的内存超过了上限 64 MB。下次调用会重新启动模块。',
  ],
  [
    'dice.js:2 imports "_help", which does not exist. Write the whole name with its ending, as in "./_helper.ts". It is loaded again when the file is saved.',
    'dice.js:2 导入了不存在的“_help”。请填写带扩展名的完整名称，例如 "./_helper.ts"。保存文件后会重新加载。',
  ],
  [
    'dice.js:3 method "run" has an unknown field "agentCallabel". Use "agentCallable". Known fields: name, agentCallable. It is loaded again when the file is saved.',
    'dice.js:3 方法“run”中有无法识别的字段“agentCallabel”。请改用“agentCallable”。可用的有 name、agentCallable。保存文件后会重新加载。',
  ],
  [
    'weather.js:2 the tool has an unknown field "protocolConfig". It belongs inside a method. Known fields: name, description, methods. It is loaded again when the file is saved.',
    'weather.js:2 工具中有无法识别的字段“protocolConfig”。请写在方法中。可用的有 name、description、methods。保存文件后会重新加载。',
  ],
  [
    'weather.js:1 the tool has a name that is not a string. Write `name` as a string. It is loaded again when the file is saved.',
    'weather.js:1 工具的 name 不是字符串。请将 `name` 改为字符串。保存文件后会重新加载。',
  ],
  [
    'weather.js:1 method "a" has a danger that is not a string. Write the reason as a string, such as `danger: \'Deletes records.\'`. It is loaded again when the file is saved.',
    "weather.js:1 方法“a”的 danger 不是字符串。请写明原因，例如 `danger: '会删除记录'`。保存文件后会重新加载。",
  ],
  [
    'The tool "dice" failed to load. dice.js:4:27 has a syntax error: Unexpected token. Correct the line. It is loaded again when the file is saved.',
    '工具“dice”加载失败。dice.js:4:27 有语法错误：“Unexpected token”。请改正这一行。保存文件后会重新加载。',
  ],
  [
    'The tool "dice" failed to load. dice.js:1 threw an error while loading: No key. Correct what the file does at its top level. It is loaded again when the file is saved.',
    '工具“dice”加载失败。dice.js:1 在加载时抛出了错误：“No key”。请改正文件顶层执行的内容。保存文件后会重新加载。',
  ],
  [
    'The tool "dice" failed to load. dice.ts:1 imports "axios", which does not exist. Install the package in the folder of the modules. It is loaded again when the file is saved.',
    '工具“dice”加载失败。dice.ts:1 导入了不存在的“axios”。请在模块所在的目录中安装此包。保存文件后会重新加载。',
  ],
  [
    'The tool "dice" failed to load. dice.js has no default export. Write `export default { methods: { … } }`. It is loaded again when the file is saved.',
    '工具“dice”加载失败。dice.js 没有默认导出。请写成 `export default { methods: { … } }`。保存文件后会重新加载。',
  ],
  [
    'dice.js:1:1 is a CommonJS module. Write `export default` instead of `module.exports`, and `import` instead of `require`. It is loaded again when the file is saved.',
    'dice.js:1:1 是 CommonJS 模块。请用 `export default` 代替 `module.exports`，用 `import` 代替 `require`。保存文件后会重新加载。',
  ],
])('%s', (english, chinese) => {
  expect(word(english)).toBe(chinese);
});

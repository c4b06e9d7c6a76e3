import type { EngineTexts } from '../createWording.ts';

/** Modules of the user's own: why one cannot be loaded, and how one ended. */
export const moduleTexts: EngineTexts = {
  '{0} {1}. {2} It is loaded again when the file is saved.': '{0} {1~}。{2~}保存文件后会重新加载。',
  // What the JavaScript engine, a module or a schema said stays as it is, in quotes.
  '{0} has a syntax error: {1}. Correct the line. It is loaded again when the file is saved.':
    '{0} 有语法错误：“{1}”。请改正这一行。保存文件后会重新加载。',
  '{0} threw an error while loading: {1}. Correct what the file does at its top level. It is loaded again when the file is saved.':
    '{0} 在加载时抛出了错误：“{1}”。请改正文件顶层执行的内容。保存文件后会重新加载。',
  '{0} crashed outside of its handlers: {1} before it had loaded. Look at its top level for a process.exit, or an await that never resolves. It is loaded again when the file is saved.':
    '{0} 在加载完成前，在 handler 之外崩溃：“{1}”。请检查顶层是否有 process.exit，或永远不会完成的 await。保存文件后会重新加载。',
  'crashed outside of its handlers: {0}': '在 handler 之外崩溃：“{0}”',
  'imports "{0}", which does not exist': '导入了不存在的“{0}”',
  'has no default export': '没有默认导出',
  'has a default export that is not an object': '的默认导出不是对象',
  'is a CommonJS module': '是 CommonJS 模块',
  'Write `export default` instead of `module.exports`, and `import` instead of `require`.':
    '请用 `export default` 代替 `module.exports`，用 `import` 代替 `require`。',
  'has no methods': '没有方法',
  'has methods that are not an object': '的 methods 不是对象',
  'has more than {0} methods': '的方法超过 {0} 个',
  'did not finish loading within {0} s': '未能在 {0} 秒内完成加载',
  'used {0} s of processor time and did not finish loading': '占用了 {0} 秒处理器时间，仍未完成加载',
  'used more than its {0} MB of memory': '使用的内存超过了上限 {0} MB',
  'ended its own thread (exit code {0})': '结束了自己的线程（退出码 {0}）',
  'sent an invalid answer': '发送的应答无效',
  '{0} before it had loaded': '{0~}，当时尚未加载完成',
  'was closed while it loaded': '在加载时被关闭',
  'method "{0}" has a name that cannot be called': '方法“{0}”的名称无法调用',
  'method "{0}" is not an object': '方法“{0}”不是对象',
  'method "{0}" has no handler': '方法“{0}”没有 handler',
  'has a getMetadata() that does not list methods with names': '的 getMetadata() 没有列出带名称的方法',
  'Return `{ methods: [{ name, description, parameters }] }`.':
    '请返回 `{ methods: [{ name, description, parameters }] }`。',
  'method "{0}": "parameters" must be an array of objects with a "name"':
    '方法“{0}”的 parameters 不是由带 name 的对象组成的数组',
  "Write `parameters: [{ name: 'level', type: 'integer' }]`, or a JSON Schema as `inputSchema`.":
    "请写成 `parameters: [{ name: 'level', type: 'integer' }]`，或用 `inputSchema` 写 JSON Schema。",
  'method "{0}" has no function of its name': '方法“{0}”没有同名的函数',
  'Add the function to the object, or take the method out of `getMetadata()`.':
    '请在对象中添加此函数，或从 `getMetadata()` 中移除此方法。',
  'method "{0}" has a protocolConfig that is not an object': '方法“{0}”的 protocolConfig 不是对象',
  "Write `protocolConfig: { vcpCommand: 'Name' }`.": "请写成 `protocolConfig: { vcpCommand: 'Name' }`。",
  'method "{0}" has no description': '方法“{0}”没有 description',
  'method "{0}" has an agentCallable that is not a boolean': '方法“{0}”的 agentCallable 不是布尔值',
  'the tool': '工具',
  'method "{0}"': '方法“{0}”',
  '{0} has a {1} that is not a string': '{0~}的 {1} 不是字符串',
  '{0} has unknown fields: {1}': '{0~}中有无法识别的字段：{1、}',
  '{0} has an unknown field "{1}"': '{0~}中有无法识别的字段“{1}”',
  'method "{0}" has an {1} that is not valid JSON ({2})': '方法“{0}”的 {1} 不是有效的 JSON（{2}）',
  'method "{0}" has an {1} that does not describe an object': '方法“{0}”的 {1} 描述的不是对象',
  'method "{0}" has a faulty {1}: {2}': '方法“{0}”的 {1} 有误：{2~}',
  'Write `export default { methods: { … } }`.': '请写成 `export default { methods: { … } }`。',
  'Give the default export `methods: { yourMethod: { description, handler } }`.':
    '请为默认导出添加 `methods: { yourMethod: { description, handler } }`。',
  'has {0} bytes; the limit is {1}': '有 {0} 字节，上限是 {1}',
  'Split the file, or move its data into files that a handler reads.':
    '请拆分此文件，或把数据移到由 handler 读取的文件中。',
  'is not a regular file': '不是普通文件',
  'Replace it with a file of source text.': '请换成源代码文件。',
  'Split it into several files.': '请拆成几个文件。',
  'Use letters, digits, `_`, `.` and `-`.': '请使用字母、数字、`_`、`.` 和 `-`。',
  'Write it as `{ description, inputSchema, handler }`.': '请写成 `{ description, inputSchema, handler }`。',
  'Add `handler(args, { signal, onProgress }) { … }`.': '请添加 `handler(args, { signal, onProgress }) { … }`。',
  'Say in `description` what it does and when to use it.': '请在 `description` 中说明方法的作用和使用时机。',
  'Write true or false.': '请写 true 或 false。',
  'Write it as plain data.': '请写成普通数据。',
  "Write `{0}: { type: 'object', properties: { … } }`.": "请写成 `{0}: { type: 'object', properties: { … } }`。",
  'Correct the schema.': '请改正 Schema。',
  "Write the reason as a string, such as `danger: 'Deletes records.'`.": "请写明原因，例如 `danger: '会删除记录'`。",
  'Write `{0}` as a string.': '请将 `{0}` 改为字符串。',
  'It belongs inside a method. Known fields: {0}.': '请写在方法中。可用的有 {0、}。',
  'Known fields: {0}.': '可用的有 {0、}。',
  'Use "{0}". Known fields: {1}.': '请改用“{0}”。可用的有 {1、}。',
  'Write the whole name with its ending, as in "./_helper.ts".': '请填写带扩展名的完整名称，例如 "./_helper.ts"。',
  'Install the package in the folder of the modules.': '请在模块所在的目录中安装此包。',
  'Correct what the file does at its top level.': '请改正文件顶层执行的内容。',
  'Correct the line.': '请改正这一行。',
  '"{0}" is not registered any more.': '“{0}”已不再注册。',
  'The folder has more than {0} modules.': '模块目录中的模块超过 {0} 个。',
  'Look for an endless loop at its top level; work belongs into handlers.':
    '请检查顶层是否有死循环；实际工作应放在 handler 中。',
  'Look for a long wait at its top level; work belongs into handlers.':
    '请检查顶层是否有长时间的等待；实际工作应放在 handler 中。',
  'Look for what it changes in JSON or in node:worker_threads.': '请检查模块是否修改了 JSON 或 node:worker_threads。',
  'Look at its top level for a process.exit, or an await that never resolves.':
    '请检查顶层是否有 process.exit，或永远不会完成的 await。',
  'The module {0}. {1} The next call restarts it.': '模块{0~}。{1~}下次调用会重新启动模块。',
  'The module {0}. The next call restarts it.': '模块{0~}。下次调用会重新启动模块。',
  'Load it again.': '请重新加载。',
  '"{0}" ended because "{1}" of the same module had to be stopped, and with it the module\'s thread. Call it again.':
    '“{0}”已结束：停止同一模块的“{1}”时，模块的线程也随之停止。请重新调用。',
  'The module file "{0}" was deleted, moved or renamed, or Toolwire is closing.':
    '模块文件“{0}”已删除、移动或重命名，或 Toolwire 正在关闭。',
  'The module file "{0}" was deleted, moved or renamed just now. Its tools return as soon as the file is back.':
    '模块文件“{0}”刚刚被删除、移动或重命名。恢复文件后会自动重新加载。',
  'The module file "{0}" was deleted, moved or renamed {1} ago. Its tools return as soon as the file is back.':
    '模块文件“{0}”于 {1} 前被删除、移动或重命名。恢复文件后会自动重新加载。',
  '{0} is a CommonJS module. Write `export default` instead of `module.exports`, and `import` instead of `require`. Save it as a .js file.':
    '{0} 是 CommonJS 模块。请用 `export default` 代替 `module.exports`，用 `import` 代替 `require`，并另存为 .js 文件。',
  '{0} belongs to a plugin of VCPToolBox, which Toolwire does not run. Write each of its commands as a method of a module: `export default { methods: { … } }`.':
    '{0} 属于 VCPToolBox 插件，Toolwire 不运行此类插件。请把它的每个命令写成模块的方法：`export default { methods: { … } }`。',
  'The module has no method "{0}".': '模块没有方法“{0}”。',
  "The handler's result is not valid JSON: {0}": 'handler 的结果不是有效的 JSON：{0}',
  'The handler returned a {0}. Return text, numbers, lists and plain objects.':
    'handler 返回了 {0}。请返回文本、数字、列表和普通对象。',
  'The handler returned {0} characters; {1} are allowed.': 'handler 返回了 {0} 个字符；最多允许 {1} 个。',
};

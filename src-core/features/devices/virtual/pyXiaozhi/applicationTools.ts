import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import type { JsonValue } from '../../../../base/json.ts';
import { pythonJson } from './pythonJson.ts';

const installed = ['计算器', '记事本', '浏览器', '终端', '日历'];
const json = (value: JsonValue): string => pythonJson(value, { ascii: false });

/** The four tools `self.application.*`, for programs that only this device knows: nothing is really started or ended. */
export function createApplicationTools(): McpTool[] {
  const running = new Map<number, string>([[1001, '终端']]);
  let lastPid = 1001;
  return [
    new McpTool({
      name: 'self.application.launch',
      description:
        '按名称打开这台电脑上的一个程序，例如计算器、浏览器、记事本。名称可以是中文，也可以是英文。用户说“打开……”“启动……”时使用。' +
        '不确定名称时，先调用 self.application.scan_installed，用结果里的 name。同一个程序可以打开多次，每次都有自己的进程号。' +
        '成功返回 true；找不到这个程序时返回 false，这时请告诉用户它没有安装，不要反复尝试。参数 app_name：程序的名称，不要写路径，也不要带启动选项。' +
        ' Opens a program of this computer by the name that people call it. It tries the exact name first and then names that contain it. ' +
        'Answers true when the program has been started, which does not yet mean that its window can be seen, and false when there is no such program. ' +
        'It opens no documents and no web addresses.',
      properties: new PropertyList([new Property('app_name', PropertyType.STRING)]),
      callback: ({ app_name: name }) => {
        const found = installed.find((each) => each === name);
        if (found === undefined) return false;
        lastPid += 1;
        running.set(lastPid, found);
        return true;
      },
    }),
    new McpTool({
      name: 'self.application.scan_installed',
      description:
        '列出这台电脑上可以打开的程序，返回 JSON：success、total_count 和 applications，每个程序有 name 和 display_name。' +
        '用户问“装了什么软件”，或者打开程序之前需要确认名称时使用。结果会保存一段时间，所以再次调用很快；' +
        '刚刚安装了新的程序，而列表里还没有它时，把参数 force_refresh 设为 true，重新扫描一遍，这可能需要几秒钟。' +
        '把结果中的 name 原样交给 self.application.launch。' +
        ' Lists the programs that can be opened here, those of the system and those of the user, each with the name to open it by and the name to show. ' +
        'The list is kept for a while; ask for a fresh one only where something has just been installed.',
      properties: new PropertyList([new Property('force_refresh', PropertyType.BOOLEAN, { defaultValue: false })]),
      callback: () =>
        json({
          success: true,
          total_count: installed.length,
          applications: installed.map((name) => ({ name, display_name: name, type: 'system' })),
        }),
    }),
    new McpTool({
      name: 'self.application.kill',
      description:
        '结束正在运行的程序。会先请它自己退出，没有保存的内容可能会丢失，所以请先向用户确认。用户说“关掉……”“退出……”，' +
        '或者程序不再响应时使用。参数 app_name：程序的名称；force：为 true 时不再等待，直接结束，只在程序没有反应时使用，平时为 false。' +
        '同名的程序会全部结束。成功返回 true；没有这样的程序在运行时返回 false。想知道有哪些程序在运行，请用 self.application.list_running。' +
        ' Ends every running program of that name. It asks them to leave first; with force they are ended at once and what they had not saved is lost. ' +
        'Confirm with the user before calling it. Answers false when nothing of that name runs.',
      properties: new PropertyList([
        new Property('app_name', PropertyType.STRING),
        new Property('force', PropertyType.BOOLEAN, { defaultValue: false }),
      ]),
      callback: ({ app_name: name }) => {
        const pids = [...running].filter(([, each]) => each === name).map(([pid]) => pid);
        for (const pid of pids) running.delete(pid);
        return pids.length > 0;
      },
    }),
    new McpTool({
      name: 'self.application.list_running',
      description:
        '列出正在运行的程序，返回 JSON：success、total_count 和 applications，每个程序有 pid、name 和 display_name。' +
        '用户问“现在开着什么”，或者结束程序之前需要确认它真的在运行时使用。参数 filter_name：只列出名称里含有这段文字的程序，' +
        '为空时列出全部。程序很多时列表会很长，请尽量给出 filter_name。它只读取，不会改变任何程序。' +
        ' Lists what runs now. Give filter_name wherever you look for a certain program, for the whole list can be long.',
      properties: new PropertyList([new Property('filter_name', PropertyType.STRING, { defaultValue: '' })]),
      callback: ({ filter_name: filter }) => {
        const found = [...running].filter(([, name]) => name.includes(String(filter)));
        return json({
          success: true,
          total_count: found.length,
          applications: found.map(([pid, name]) => ({ pid, name, display_name: name, type: 'application' })),
        });
      },
    }),
  ];
}

import { McpTool } from '../../../../deviceSide/mcp/mcpTool.ts';
import { Property, PropertyType } from '../../../../deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../deviceSide/mcp/propertyList.ts';
import { pythonJson } from './pythonJson.ts';

const days = ['今天', '明天', '后天', '第四天', '第五天', '第六天', '第七天'];
const city = new Property('city', PropertyType.STRING, { defaultValue: '北京' });

/** `get_weather` and `get_forecast`: the same fair weather everywhere, as the sample plug-in of py-xiaozhi has it. */
export function createWeatherTools(): McpTool[] {
  return [
    new McpTool({
      name: 'get_weather',
      description:
        '说明一座城市现在的天气：气温（摄氏度）、天空状况和湿度（百分比），返回 JSON。参数 city：城市名，例如“杭州”“成都”；不给时是北京。',
      properties: new PropertyList([city]),
      callback: (args) =>
        pythonJson({ city: String(args['city']), temperature: 23, condition: '晴', humidity: 48 }, { ascii: false }),
    }),
    new McpTool({
      name: 'get_forecast',
      description:
        '说明一座城市今后几天的天气，每天有最高、最低气温（摄氏度）和天空状况，返回 JSON。参数 city：城市名；days：从今天算起的天数，1 到 7，不给时是 3。',
      properties: new PropertyList([
        city,
        new Property('days', PropertyType.INTEGER, { defaultValue: 3, minimum: 1, maximum: 7 }),
      ]),
      callback: (args) => {
        const forecast = days.slice(0, Number(args['days'])).map((date, index) => ({
          date,
          high: 26 - index,
          low: 16 - index,
          condition: index % 2 === 0 ? '晴' : '多云',
        }));
        return pythonJson({ city: String(args['city']), forecast }, { ascii: false });
      },
    }),
  ];
}

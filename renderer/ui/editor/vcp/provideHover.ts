import type { languages } from 'monaco-editor/editor';

import type { Monaco } from '../monacoType.ts';
import { findMethods } from './findMethods.ts';
import { vcpContexts, type VcpMethod } from './vcpContext.ts';

/** What a name in the text means right now: description and parameters. */
export function provideHover(monaco: Monaco): languages.HoverProvider {
  return {
    provideHover(model, position) {
      const context = vcpContexts.get(model.uri.toString());
      const reading = context?.reading();
      if (context === undefined || reading === undefined || reading.text.length !== model.getValueLength()) return null;
      const offset = model.getOffsetAt(position);
      const region = reading.regions.find(
        ({ kind, start, end }) => kind === 'name' && offset >= start && offset <= end,
      );
      const request = reading.requests.find(({ range }) => offset >= range.start && offset < range.end);
      if (region === undefined) return null;
      const name = request?.toolName ?? reading.text.slice(region.start, region.end);
      const methods = findMethods(context.methods(), name, request?.command);
      const range = monaco.Range.fromPositions(model.getPositionAt(region.start), model.getPositionAt(region.end));
      const { required } = context.words();
      return { range, contents: methods.slice(0, 3).map((method) => ({ value: describe(method, required) })) };
    },
  };
}

function describe(method: VcpMethod, required: string): string {
  const parameters = method.parameters.slice(0, 20).map(({ name, type, required: must, description }) => {
    const words = description === undefined ? '' : ` — ${escape(description.slice(0, 200))}`;
    return `- **${escape(name)}** _${escape(type)}_${must ? ` (${required})` : ''}${words}`;
  });
  const head = `**${escape(method.qualifiedName)}** · ${escape(method.sourceLabel)}`;
  return [head, escape(method.description.slice(0, 600)), parameters.join('\n')].join('\n\n');
}

/** Descriptions come from tools: shown as the words they are, never as Markdown, links or HTML. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>&~:]/g, '\\$&').replaceAll('\n', ' ');
}

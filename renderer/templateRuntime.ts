/**
 * What the compiled templates import instead of `vue` (.config/vuePlugin.ts): texts and tooltips show control characters and
 * marks of reading direction as codes, so that no text of a device, a model or a server controls the page around it.
 */
import * as vue from 'vue';

import { visibleProse } from './ui/format/visibleText.ts';

export * from 'vue';

/** `{{ value }}` */
export function toDisplayString(value: unknown): string {
  return visibleProse(vue.toDisplayString(value));
}

export const createVNode = withVisibleTitle(vue.createVNode);
export const createBlock = withVisibleTitle(vue.createBlock);
export const createElementVNode = withVisibleTitle(vue.createElementVNode);
export const createElementBlock = withVisibleTitle(vue.createElementBlock);

type CreateVNode = (type: never, props?: never, ...rest: never[]) => vue.VNode;

/** `:title="value"`, of an element or a component. */
function withVisibleTitle<Create extends CreateVNode>(create: Create): Create {
  const createVisible = (type: never, props?: { title?: unknown } | null, ...rest: never[]): vue.VNode => {
    const title = props?.title;
    const shown = typeof title === 'string' ? visibleProse(title) : title;
    return create(type, (shown === title ? props : { ...props, title: shown }) as never, ...rest);
  };
  return createVisible as unknown as Create;
}

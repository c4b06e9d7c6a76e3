import { ref, type Ref } from 'vue';

import type { BytesNotation } from './bytesText.ts';
import type { TemplateId } from './templates.ts';

/** A frame that is being written; it is kept while the composer is closed. */
export interface FrameDraft {
  templateId: Ref<TemplateId | undefined>;
  /** The values of the template's fields, by name. */
  values: Ref<Record<string, string>>;
  text: Ref<string>;
  notation: Ref<BytesNotation | undefined>;
}

export function newFrameDraft(): FrameDraft {
  return { templateId: ref(), values: ref({}), text: ref(''), notation: ref('hex') };
}

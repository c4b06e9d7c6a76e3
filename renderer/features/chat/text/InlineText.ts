import { h, type FunctionalComponent } from 'vue';

import { visibleProse } from '../../../ui/format/visibleText.ts';
import { inlinePieces } from './inlinePieces.ts';

/**
 * A text with its code, its emphasis and its links, of which the title is the address: the words are a model's. A reply has one for each line, and a function takes about half the memory of an SFC. Props: `text`.
 * A template would show control characters and marks of reading direction as codes; this function does it itself.
 */
export const InlineText: FunctionalComponent<{ text: string }> = ({ text }) =>
  inlinePieces(text).map((piece) => {
    const shown = visibleProse(piece.text);
    if (piece.kind === 'plain') return shown;
    if (piece.kind === 'link') {
      const { href = '' } = piece;
      return h(
        'a',
        { class: 'link', href, title: visibleProse(href), target: '_blank', rel: 'noopener noreferrer' },
        shown,
      );
    }
    return piece.kind === 'code' ? h('code', { class: 'md-code' }, shown) : h(piece.kind, shown);
  });
InlineText.props = ['text'];

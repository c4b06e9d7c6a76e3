import type { VcpParserOptions } from '../types.ts';
import { Finder } from '../finder.ts';
import { createRequestIds } from '../../requestIds.ts';
import { Output } from './output.ts';
import type {
  BareRun,
  BlockBuilder,
  CutValue,
  Hold,
  InertText,
  MachineState,
  MisspeltBlock,
  OpenField,
  RetiredBlock,
} from './state.ts';
import { TextWindow } from './textWindow.ts';

/**
 * Everything a parse knows at its reading position. The functions beside this file move it forward; each looks a
 * bounded number of characters ahead and waits for more text if they have not arrived yet.
 */
export class Machine {
  readonly window = new TextWindow();
  readonly out = new Output();
  readonly newId: (position: number) => string;

  state: MachineState = 'prose';
  /** The reading position. */
  position = 0;
  /** No token may start at or after this offset yet: an event of `parseStandard.ts` is there. */
  limit = 0;
  /** No more text follows the window. */
  atEnd = false;

  /** Number of START markers so far. */
  blockCount = 0;
  block: BlockBuilder | undefined;
  field: OpenField | undefined;
  /** End of the last marker or field: a key cannot reach back past it. */
  tokenEnd = 0;
  /** Reasoning or an echoed result that is being passed over. */
  inert: InertText | undefined;
  bare: BareRun | undefined;
  /** What may be a block with a misspelt START. */
  misspelt: MisspeltBlock | undefined;
  /** A retired or escaped block at the top level, until its END. */
  retired: RetiredBlock | undefined;
  /** An END alone on its line closed the block inside a value: a 「末」 that follows shows what was meant. */
  cutValue: CutValue | undefined;

  /** Constructs that are open and may still turn out to be something else, outermost first. */
  readonly holds: Hold[] = [];
  /** Up to here the events for `holds` have been looked at. */
  eventPosition = 0;
  /** From here on the finders of the events have looked for the last one. */
  eventsFrom = 0;

  readonly less = new Finder('<');
  readonly marker = new Finder('<<<[');
  readonly tick = new Finder('`');
  readonly tilde = new Finder('~');
  readonly bracket = new Finder('[');
  readonly newline = new Finder('\n');
  readonly corner = new Finder('「');
  readonly begin = new Finder('始');
  readonly finish = new Finder('末');
  /** For the closing fences of escaped values alone. */
  readonly escapeFinish = new Finder('末');

  constructor(options: VcpParserOptions) {
    this.newId = options.newId ?? createRequestIds('req');
  }

  append(chunk: string): void {
    this.window.append(chunk, this.position);
    this.less.more();
    this.marker.more();
    this.tick.more();
    this.tilde.more();
    this.bracket.more();
    this.newline.more();
    this.corner.more();
    this.begin.more();
    this.finish.more();
    this.escapeFinish.more();
    this.inert?.finder?.more();
  }

  /** End of the text so far. */
  get end(): number {
    return this.window.end;
  }
}

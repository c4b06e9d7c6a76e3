export { splitHidden, visibleProse, visibleText } from '../../../src-core/base/hiddenCharacters.ts';

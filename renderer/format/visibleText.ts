export { visibleProse, visibleText } from '../../src-core/tools/hiddenCharacters.ts';

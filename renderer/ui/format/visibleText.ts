export {
  nameHidden,
  namedText,
  splitHidden,
  visibleProse,
  visibleText,
} from '../../../src-core/base/hiddenCharacters.ts';
